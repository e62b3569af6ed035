const EVERYWHERE = {
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cache-control": "no-store",
};

const POLICIES = {
  api: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  /** The documentation site: its own scripts, styles and pictures. */
  docs: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  /** Blocks inline scripts. Styles and scripts come from our origin, and requests go to no other origin. */
  dashboard:
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
};

const HEADERS = {
  api: { ...EVERYWHERE, "content-security-policy": POLICIES.api },
  docs: { ...EVERYWHERE, "content-security-policy": POLICIES.docs },
  dashboard: { ...EVERYWHERE, "content-security-policy": POLICIES.dashboard },
};

export function securityHeaders(kind: keyof typeof HEADERS): Record<string, string> {
  return HEADERS[kind];
}
