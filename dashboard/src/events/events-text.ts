export const eventsText = {
  title: "Events",
  about: "Newest first. Events are also delivered to",
  webhooks: "webhooks",
  none: "No events yet",
  noneHint: "Changes to numbers, routing, orders and members appear here.",
  showOlder: "Show older events",
  event: "Event",
  copyId: "Copy event ID",
} as const;
