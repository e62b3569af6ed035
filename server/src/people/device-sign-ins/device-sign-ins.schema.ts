import { Type } from "typebox";
import { DateTime, Name, nullable, shape } from "../../platform/http/shapes.ts";

export const BeginDeviceSignIn = shape("BeginDeviceSignIn", { client_name: Name });

export const DeviceSignIn = shape("DeviceSignIn", {
  device_code: Type.String({ maxLength: 200 }),
  user_code: Type.String({ maxLength: 20, examples: ["WDJB-MJHT"] }),
  verification_uri: Type.String({ maxLength: 2000, description: "Where the person types the user_code." }),
  interval_seconds: Type.Integer({ minimum: 1, maximum: 3600, format: "int32" }),
  expires_at: DateTime,
});

export const TypedUserCode = shape("TypedUserCode", {
  user_code: Type.String({ minLength: 8, maxLength: 20, examples: ["WDJB-MJHT"] }),
});

export const WaitingDevice = shape("WaitingDevice", {
  client_name: Type.String({
    maxLength: 200,
    description: "What the tool calls itself; nobody has checked it.",
  }),
  address: nullable(Type.String({ maxLength: 64, description: "Network address the tool asked from." })),
  user_agent: nullable(Type.String({ maxLength: 400 })),
  created_at: DateTime,
  expires_at: DateTime,
});

export const RedeemDevice = shape("RedeemDevice", {
  device_code: Type.String({ minLength: 1, maxLength: 200 }),
});
