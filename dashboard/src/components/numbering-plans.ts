import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/** Country code, area code and the rest of a number in E.164. The text itself if it is no such number. */
export function groupsOf(e164: string): string[] {
  const international = parsePhoneNumberFromString(e164)?.formatInternational();
  const groups = international?.split(/[\s\u00A0-]+/);
  return groups?.join("") === e164 ? groups : [e164];
}
