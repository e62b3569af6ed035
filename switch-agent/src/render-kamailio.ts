import { writeSettings } from "./kamailio/render-settings.ts";
import { readSwitchSettings, SwitchSettingsError } from "./kamailio/switch-settings.ts";

/** `node switch-agent/src/render-kamailio.ts switch.json` writes the settings file that Kamailio is started with. */
const [file, ...others] = process.argv.slice(2);
if (file === undefined || others.length > 0) {
  console.error("usage: render-kamailio.ts <switch.json>");
  process.exit(2);
}
try {
  console.log(writeSettings(readSwitchSettings(file)));
} catch (error) {
  if (!(error instanceof SwitchSettingsError)) throw error;
  console.error(error.message);
  process.exit(1);
}
