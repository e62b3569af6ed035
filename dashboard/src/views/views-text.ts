export const viewsText = {
  label: "Views",
  all: "All",
  save: "Save view",
  saveHint: "Saves the current filters, order and columns.",
  share: "Share with the organisation",
  shareHint: "All members see a shared view. Otherwise it is yours alone.",
  saved: (name: string) => `“${name}” saved`,
  menu: (name: string) => `Change view ${name}`,
  delete: "Delete view",
  deleted: (name: string) => `“${name}” deleted`,
} as const;
