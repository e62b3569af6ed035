export const membersText = {
  title: "Members",
  about: (organisation: string) => `Members of ${organisation}, in both environments.`,
  you: "(you)",
  since: (email: string, day: string) => `${email}, member since ${day}`,
  roleOf: (name: string) => `Role of ${name}`,
  roleChanged: (name: string, role: string) => `${name} is now ${role}`,

  inviteMember: "Invite member",
  inviteTitle: (organisation: string) => `Invite a member to ${organisation}`,
  invite: "Send invitation",
  emailRequired: "Enter an email address.",
  emailInvalid: "Enter an email address such as ada@example.com.",
  role: "Role",
  invited: (email: string) => `${email} invited`,
  invitedDetail: "The invitation is on its way by email.",
  invitations: "Open invitations",
  invitation: (role: string, day: string) => `as ${role}, until ${day}`,
  withdraw: "Withdraw",
  withdrawOf: (email: string) => `Withdraw invitation of ${email}`,

  demoteTitle: (name: string) => `Change the role of ${name} to member?`,
  demoteHint: "Members with this role cannot see or change routing, and cannot create API keys.",
  changeRole: "Change role",
  remove: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removeMember: "Remove member",
  removeHint: (name: string, organisation: string) =>
    `${name} can no longer see or change anything in ${organisation}. The account remains.`,
  removed: (name: string) => `${name} removed`,
  keysEnding: (count: number) =>
    `Replace ${count === 1 ? "1 API key that expires" : `${count} API keys that expire`} in 24 hours.`,

  keysLoading: "Loading API keys…",
  noKeys: (name: string) => `${name} has created no active API keys.`,
  keysOf: (name: string) => `API keys that ${name} created:`,
  keyUsed: (day: string) => `last used ${day}`,
  keyShared: ", shared with another organisation",
  keyPolicy: "API keys",
  keyPolicies: {
    end: "Revoke now",
    grace: "Expire in 24 hours",
    keep: "Keep active",
  },

  roles: {
    owner: "Full access, including owners.",
    admin: "Members and numbers. Cannot manage owners.",
    developer: "Routing, API keys, events and webhooks.",
    member: "Read access to numbers, usage, orders and jobs. No routing.",
  },
} as const;
