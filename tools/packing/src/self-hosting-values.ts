export const MAIL_PORT = 2525;

/** For the first block of docs/self-hosting.md, in an isolated network where every address is available. */
export const VALUES = {
  NAME: "numbers.example.com",
  ADDRESS: "203.0.113.5",
  MAIL: `smtp://127.0.0.1:${MAIL_PORT}`,
  OPERATOR: "you@example.com",
  OWNER: "owner@northwind.example",
  CARRIER: "198.51.100.9",
  PBX: "45.60.70.80",
};
