import { Type } from "typebox";
import { DateTime, described, Name, nullable, shape } from "../../platform/http/shapes.ts";

export const BeginDeviceSignIn = shape("BeginDeviceSignIn", {
  client_name: described(Name, "Name of the tool, as shown to the user."),
});

export const DeviceSignIn = shape("DeviceSignIn", {
  device_code: Type.String({ maxLength: 200, description: "Secret that the tool redeems for a session." }),
  user_code: Type.String({
    maxLength: 20,
    examples: ["WDJB-MJHT"],
    description: "Code that the user types in the browser.",
  }),
  verification_uri: Type.String({
    maxLength: 2000,
    description: "URL of the page on which the user types `user_code`.",
  }),
  interval_seconds: Type.Integer({
    minimum: 1,
    maximum: 3600,
    format: "int32",
    description: "Seconds to wait between two attempts to redeem `device_code`.",
  }),
  expires_at: described(DateTime, "Time when both codes expire."),
});

export const TypedUserCode = shape("TypedUserCode", {
  user_code: Type.String({
    minLength: 8,
    maxLength: 20,
    examples: ["WDJB-MJHT"],
    description: "Code that the tool shows.",
  }),
});

export const WaitingDevice = shape("WaitingDevice", {
  client_name: Type.String({
    maxLength: 200,
    description: "Name that the tool gives itself. It is not verified.",
  }),
  address: nullable(
    Type.String({
      maxLength: 64,
      description: "IP address from which the tool sent its request. `null` if unknown.",
    }),
  ),
  user_agent: nullable(
    Type.String({ maxLength: 400, description: "`User-Agent` of the tool. `null` if it sent none." }),
  ),
  created_at: described(DateTime, "Time of the tool's request."),
  expires_at: described(DateTime, "Time when the code expires."),
});

export const RedeemDevice = shape("RedeemDevice", {
  device_code: Type.String({ minLength: 1, maxLength: 200, description: "`device_code` of the sign-in." }),
});
