/** Every setting there is; docs/configuration.md is generated from this list, config.ts reads and checks the values. */
export interface Setting {
  name: string;
  what: string;
  fallback?: string;
}

export const SETTINGS = [
  {
    name: "DIALPLANE_MODE",
    what: "`production` or `development`. Development allows a plain http address and writes mail to files.",
    fallback: "production",
  },
  {
    name: "BASE_URL",
    what: "Address under which callers reach the service, without a slash at the end; https in production.",
  },
  {
    name: "MASTER_SECRET",
    what: "At least 32 random bytes as base64 or hex (`openssl rand -base64 48`). It seals the root keys in the database, from which every other key is derived. If you lose it, all API keys, switch credentials and webhook secrets stop working, so keep a copy apart from the database's backups.",
    fallback: "",
  },
  {
    name: "MASTER_SECRET_PREVIOUS",
    what: "The master secret before this one, while you change it. See [key-rotation.md](key-rotation.md).",
    fallback: "",
  },
  {
    name: "MASTER_SECRET_FILE",
    what: "A file with the master secret, in place of MASTER_SECRET. While you change it, the previous secret stands on the second line.",
    fallback: "",
  },
  {
    name: "DATABASE_URL",
    what: "The PostgreSQL database. User and password in it are used by `migrate` only; the service signs in as its own roles with passwords derived from the master secret.",
  },
  {
    name: "DATABASE_LISTEN_URL",
    what: "Direct address for the connection that hears notifications, where DATABASE_URL goes through a pooler. Default: DATABASE_URL.",
    fallback: "",
  },
  {
    name: "DATABASE_CONNECTIONS",
    what: "Connections per process for requests of organisations; the other doors get a share of it.",
    fallback: "10",
  },
  {
    name: "DATABASE_CONNECTIONS_PER_ORGANISATION",
    what: "Connections per process that one organisation can use at the same time. Its other requests wait. Default: half of DATABASE_CONNECTIONS.",
    fallback: "",
  },
  {
    name: "DATABASE_WRITES_PER_ORGANISATION",
    what: "Changes of one organisation that a process makes at the same time. Its other changes wait. Raise it if one organisation makes most of the changes.",
    fallback: "1",
  },
  { name: "HOST", what: "Address to listen on.", fallback: "127.0.0.1" },
  { name: "PORT", what: "Port of the API.", fallback: "8080" },
  { name: "METRICS_HOST", what: "Address of the metrics listener; keep it inside.", fallback: "127.0.0.1" },
  { name: "METRICS_PORT", what: "Port of the metrics, 0 for any free one.", fallback: "9464" },
  {
    name: "API_KEY_PEPPER_VERSION",
    what: "Raise by one to make new keys under a new pepper; keys of the version before go on working.",
    fallback: "1",
  },
  {
    name: "TRUSTED_PROXIES",
    what: "Networks (CIDR, comma-separated) whose X-Forwarded-For is believed. Empty: nobody's.",
    fallback: "",
  },
  {
    name: "SMTP_URL",
    what: "Mail server, `smtps://user:password@host`. Required in production.",
    fallback: "",
  },
  { name: "MAIL_FROM", what: "Sender of all mail.", fallback: "Dialplane <no-reply@localhost>" },
  {
    name: "MAIL_DIRECTORY",
    what: "Folder that receives mail as files while SMTP_URL is empty (development only).",
    fallback: ".dev/mail",
  },
  {
    name: "REPLICAS",
    what: "Number of API processes the in-memory limits are divided among.",
    fallback: "1",
  },
  {
    name: "LIMIT_REQUESTS_PER_SECOND",
    what: "Requests per second of one organisation, and of one credential where no organisation is involved.",
    fallback: "100",
  },
  {
    name: "LIMIT_REQUEST_BURST",
    what: "Requests an organisation may make at once after a pause.",
    fallback: "200",
  },
  { name: "LIMIT_WRITES_PER_SECOND", what: "Changes per second of one organisation.", fallback: "25" },
  {
    name: "LIMIT_FLOOD_PER_SECOND",
    what: "Requests per second from one address (IPv6: one /64), whoever makes them.",
    fallback: "500",
  },
  {
    name: "LIMIT_SIGN_INS_PER_MINUTE",
    what: "Failed sign-ins per minute from one address, and for one account; exact over all replicas. A browser that has signed in to the account before has as many of its own. One address can start six times as many sign-ins with passkeys or identity providers.",
    fallback: "10",
  },
  {
    name: "OPERATOR_SECOND_FACTOR",
    what: "Whether operators need an authenticator app or a passkey before they can use the operator API: `required` or `optional`.",
    fallback: "required",
  },
  {
    name: "BREACHED_PASSWORDS_FILE",
    what: "File of SHA-1 hashes of breached passwords in ascending order, as Pwned Passwords publishes them. New passwords in the file are rejected. If empty, only well-known passwords are rejected.",
    fallback: "",
  },
  {
    name: "LIMIT_INVITATIONS_PER_DAY",
    what: "Invitations that one organisation can send in a day, at most three of them to the same address; exact over all replicas.",
    fallback: "100",
  },
  {
    name: "LIMIT_ORDERS_PER_SECOND",
    what: "Orders per second of one organisation; exact over all replicas.",
    fallback: "5",
  },
  {
    name: "LIMIT_ORDERED_NUMBERS_PER_DAY",
    what: "Numbers that one organisation may order in a day, whatever becomes of the orders; exact over all replicas.",
    fallback: "1000",
  },
  {
    name: "INVENTORY",
    what: "Where callers can search and reserve live numbers: `none`, `pool` for the numbers loaded into this installation that nobody holds, or `telnyx`. Orders do not need it. Test sides search fictional numbers, unless it is `none`.",
    fallback: "none",
  },
  {
    name: "ORDERING",
    what: "Where live numbers are ordered: `pool` for the numbers loaded into this installation, or `telnyx`. Numbers ordered before go back to where they came from. Test sides order fictional numbers.",
    fallback: "pool",
  },
  {
    name: "TELNYX_API_KEY",
    what: "Key of the Telnyx account that numbers are ordered with. Keep it as long as any number from there is held.",
    fallback: "",
  },
  {
    name: "TELNYX_URL",
    what: "Address of Telnyx, without the version of its API; https in production.",
    fallback: "https://api.telnyx.com",
  },
  {
    name: "EGRESS_ALLOW",
    what: "Where customers' targets may point beyond public addresses, comma-separated: `10.0.0.0/8`, `127.0.0.0/8:5060-5090` (these ports), `127.0.0.0/8:8080+http` (webhooks and identity providers without TLS), `-203.0.113.7` (never), `.corp.internal` (names that end so).",
    fallback: "",
  },
  {
    name: "FORWARD_PREFIXES",
    what: "Where calls may be forwarded, comma-separated: `+49` (ordinary numbers that begin so), `-1876` (but not these), `+44844!` (whatever kind they are). Empty: forwarding is off.",
    fallback: "",
  },
  {
    name: "FEED_POLL_MS",
    what: "How often each process looks for changes to pass on to the switches connected to it.",
    fallback: "20",
  },
  {
    name: "ROLLBACK_POLICY",
    what: "What switches do if the database was rolled back: `resync` loads the older state into them at once, `hold` leaves them as they are and shows their numbers as unknown until an operator resolves the rollback.",
    fallback: "resync",
  },
  {
    name: "QUARANTINE_DAYS",
    what: "How long a released number rests before anybody else can have it; until then its holder can take it back.",
    fallback: "30",
  },
  {
    name: "CALL_RECORDS_MONTHS",
    what: "How many whole months of call records are kept, which name nobody; 14 at least.",
    fallback: "14",
  },
  {
    name: "CALL_PARTIES_DAYS",
    what: "How many days it is kept who called whom, and what switches sent that was no record.",
    fallback: "90",
  },
  {
    name: "SIMULATED_CALLS_PER_HOUR",
    what: "How many calls an hour the simulated switch makes up for the numbers of all test sides that lead somewhere, beside those of the magic number.",
    fallback: "0",
  },
  { name: "DRAIN_SECONDS", what: "How long a stopping process lets requests finish.", fallback: "20" },
  {
    name: "ANNOUNCE_DRAIN_SECONDS",
    what: "How long a stopping process goes on accepting while `/readyz` already says no, so that load balancers notice.",
    fallback: "2",
  },
  { name: "LOG_LEVEL", what: "trace, debug, info, warn, error or silent.", fallback: "info" },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]["name"];
export type Settings = Partial<Record<SettingName, string>>;
