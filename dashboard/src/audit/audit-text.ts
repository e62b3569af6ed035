export const auditText = {
  title: "Audit log",
  about: (organisation: string) =>
    `Changes and rejected requests in ${organisation}. Entries cannot be changed.`,
  none: "No audit entries yet",
  noneHint: "Each change is listed with its author and source address.",
  subject: (subject: string) => `of ${subject}`,
  address: (address: string) => `from ${address}`,
} as const;
