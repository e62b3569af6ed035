import type { ComponentProps } from "react";
import { TextField } from "../components/TextField.tsx";
import { sessionText } from "./session-text.ts";

/** Allows pasting and password managers. The service rejects weak passwords. */
export function NewPasswordField(props: Omit<ComponentProps<typeof TextField>, "label">) {
  return (
    <TextField
      label={sessionText.newPassword}
      type="password"
      autoComplete="new-password"
      hint={sessionText.newPasswordRule}
      {...props}
    />
  );
}
