import type { ComponentProps } from "react";
import { TextField } from "../components/TextField.tsx";

/** Pasting and password managers are welcome; the service decides what is too weak. */
export function NewPasswordField(props: Omit<ComponentProps<typeof TextField>, "label">) {
  return (
    <TextField
      label="New password"
      type="password"
      autoComplete="new-password"
      hint="Long beats complicated: several words are fine."
      {...props}
    />
  );
}
