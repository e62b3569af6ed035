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
    what: "Public URL of the service, without a slash at the end. https in production.",
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
    what: "File with the master secret, instead of MASTER_SECRET. While you change it, put the previous secret on the second line.",
    fallback: "",
  },
  {
    name: "DATABASE_URL",
    what: "The PostgreSQL database. With several hosts (`postgres://user@one:5432,two:5432/dialplane`), each connection goes to the one that is the primary. Only `migrate` uses its user and password. The service signs in with its own roles, whose passwords are derived from the master secret.",
  },
  {
    name: "DATABASE_POOLER_URL",
    what: "Address of PgBouncer in transaction mode, for the connections that handle requests and jobs. LISTEN, the job queue, `migrate` and `doctor` still use DATABASE_URL, which must be PostgreSQL. See [pooler.md](pooler.md). Default: DATABASE_URL.",
    fallback: "",
  },
  {
    name: "DATABASE_POOLER_STATEMENTS",
    what: "`named` for PgBouncer 1.21 and later with `max_prepared_statements`. `unnamed` for older releases: each statement is parsed again on each use.",
    fallback: "named",
  },
  {
    name: "DATABASE_CONNECTIONS",
    what: "Connections per process for requests of organisations. The pools of the other database roles get a share of it.",
    fallback: "10",
  },
  {
    name: "DATABASE_CONNECTIONS_PER_ORGANISATION",
    what: "Connections per process that one organisation can use at the same time. Its other requests wait. Default: half of DATABASE_CONNECTIONS.",
    fallback: "",
  },
  {
    name: "DATABASE_WRITES_PER_ORGANISATION",
    what: "Changes of one organisation that a process applies at the same time. Its other changes wait. Raise it if one organisation makes most of the changes.",
    fallback: "1",
  },
  { name: "HOST", what: "Address to listen on.", fallback: "127.0.0.1" },
  { name: "PORT", what: "Port of the API.", fallback: "8080" },
  {
    name: "METRICS_HOST",
    what: "Address of the metrics listener. Keep it on a private network.",
    fallback: "127.0.0.1",
  },
  { name: "METRICS_PORT", what: "Port of the metrics listener, 0 for any free port.", fallback: "9464" },
  {
    name: "API_KEY_PEPPER_VERSION",
    what: "Version of the pepper for new API keys. Raise it by one to change the pepper. Existing keys remain valid.",
    fallback: "1",
  },
  {
    name: "TRUSTED_PROXIES",
    what: "Networks (CIDR, comma-separated) of proxies whose X-Forwarded-For is trusted. Empty: none.",
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
    what: "Requests per second of one organisation, or of one credential if the request has no organisation.",
    fallback: "100",
  },
  {
    name: "LIMIT_REQUEST_BURST",
    what: "Burst: requests that an organisation can send at once after a pause.",
    fallback: "200",
  },
  { name: "LIMIT_WRITES_PER_SECOND", what: "Changes per second of one organisation.", fallback: "25" },
  {
    name: "LIMIT_FLOOD_PER_SECOND",
    what: "Requests per second from one address (IPv6: one /64), with any credential or none.",
    fallback: "500",
  },
  {
    name: "LIMIT_SIGN_INS_PER_MINUTE",
    what: "Failed sign-ins per minute from one address, and for one account, exact over all replicas. A browser that has signed in to the account before has a separate limit of the same size. One address can start six times as many sign-ins with passkeys or identity providers.",
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
    what: "Invitations that one organisation can send in a day, at most three of them to the same address, exact over all replicas.",
    fallback: "100",
  },
  {
    name: "LIMIT_ORDERS_PER_SECOND",
    what: "Orders per second of one organisation, exact over all replicas.",
    fallback: "5",
  },
  {
    name: "LIMIT_ORDERED_NUMBERS_PER_DAY",
    what: "Numbers that one organisation can order in a day, including failed orders, exact over all replicas.",
    fallback: "1000",
  },
  {
    name: "INVENTORY",
    what: "Source of live numbers for search and reservation if no carrier is connected: `none`, `pool` for the available numbers of this installation, or `telnyx`. Orders do not need it. Test environments search fictional numbers, unless it is `none`.",
    fallback: "none",
  },
  {
    name: "ORDERING",
    what: "Carrier of new orders of live numbers if none is [connected](carriers.md): `pool` for the numbers of this installation, or `telnyx`. Released numbers return to the carrier they came from. Test environments order fictional numbers.",
    fallback: "pool",
  },
  {
    name: "TELNYX_API_KEY",
    what: "API key of the Telnyx account that orders numbers. Keep it as long as any number from Telnyx is held.",
    fallback: "",
  },
  {
    name: "TELNYX_URL",
    what: "URL of the Telnyx API, without its version. https in production.",
    fallback: "https://api.telnyx.com",
  },
  {
    name: "EGRESS_ALLOW",
    what: "Destinations that customers can use in addition to public addresses, comma-separated: `10.0.0.0/8`, `127.0.0.0/8:5060-5090` (these ports), `127.0.0.0/8:8080+http` (webhooks and identity providers without TLS), `-203.0.113.7` (never), `.corp.internal` (names with this ending).",
    fallback: "",
  },
  {
    name: "FORWARD_PREFIXES",
    what: "Prefixes that calls can be forwarded to, comma-separated: `+49` (ordinary numbers with this prefix), `-1876` (except these), `+44844!` (numbers of any type). Empty: forwarding is off.",
    fallback: "",
  },
  {
    name: "FEED_POLL_MS",
    what: "Milliseconds between two polls for changes to send to connected switches.",
    fallback: "20",
  },
  {
    name: "ROLLBACK_POLICY",
    what: "Behaviour of switches after a rollback of the database. `resync` loads the older state at once. `hold` leaves switches unchanged and shows their numbers as unknown until an operator resolves the rollback. `restore` opens a restore: orders, releases and webhooks wait too.",
    fallback: "resync",
  },
  {
    name: "QUARANTINE_DAYS",
    what: "Days that a released number stays in quarantine. Until then its holder can restore it.",
    fallback: "30",
  },
  {
    name: "REQUIREMENT_DAYS",
    what: "Days that an order waits for evidence that a carrier requires. Then its number is given up.",
    fallback: "30",
  },
  {
    name: "CALL_RECORDS_MONTHS",
    what: "Months of call records to keep. At least 14. The numbers of callers are deleted earlier, after CALL_PARTIES_DAYS.",
    fallback: "14",
  },
  {
    name: "CALL_PARTIES_DAYS",
    what: "Days to keep the numbers of callers and callees, and rejected call records.",
    fallback: "90",
  },
  {
    name: "CALL_ARCHIVE",
    what: "Folder to which the worker writes each month of call records as Parquet files before it deletes them. If empty, they are deleted without a copy. See [retention.md](retention.md#archive-call-records).",
    fallback: "",
  },
  {
    name: "USAGE_HOURS_MONTHS",
    what: "Months of usage by the hour and the quarter of an hour to keep. At least CALL_RECORDS_MONTHS. Older usage is kept by the day.",
    fallback: "25",
  },
  {
    name: "USAGE_YEARS",
    what: "Calendar years of usage by the day to keep, in addition to the current one. At least 2.",
    fallback: "10",
  },
  {
    name: "EVENTS_DAYS",
    what: "Days of events to keep. At least 35.",
    fallback: "90",
  },
  {
    name: "AUDIT_MONTHS",
    what: "Months of audit entries to keep. At least 2, and at least as long as EVENTS_DAYS. Routing revisions are kept as long as audit entries and call records can name them.",
    fallback: "24",
  },
  {
    name: "SIMULATED_CALLS_PER_HOUR",
    what: "Calls per hour that the simulated switch generates for routed numbers of all test environments, in addition to those of the magic number.",
    fallback: "0",
  },
  {
    name: "DRAIN_SECONDS",
    what: "Seconds that a stopping process waits for requests to finish.",
    fallback: "20",
  },
  {
    name: "ANNOUNCE_DRAIN_SECONDS",
    what: "Seconds that a stopping process still accepts requests while `/readyz` already fails, so that load balancers notice.",
    fallback: "2",
  },
  { name: "LOG_LEVEL", what: "trace, debug, info, warn, error or silent.", fallback: "info" },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]["name"];
export type Settings = Partial<Record<SettingName, string>>;
