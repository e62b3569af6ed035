export type { Answer, Call, Listing, Page } from "./call.ts";
export { type Client, createClient } from "./dialplane-client.ts";
export * from "./dialplane-errors.ts";
export type * from "./generated/wire.ts";
export type { ClientSettings } from "./client-settings.ts";
export type { Attempt, CallOptions, Settings } from "./transport.ts";
export type { WaitOptions } from "./waiting.ts";
export { type Delivery, verifyWebhook, type WebhookEvent } from "./webhook-signatures.ts";
export type { EveryOption, WriteOptions } from "./wire-api.ts";
