import { ChevronDown, Clock } from "lucide-react";
import { useState } from "react";
import { sharedText } from "./shared-text.ts";
import { allZones, chosenZone, chooseZone, timeZone, zoneLabel } from "./time-zone.ts";

/** Value of the option for the browser's time zone. */
const BROWSER = "";

/** Time zone of all dates. A native control, because the list is long. */
export function ZoneSelect() {
  const chosen = chosenZone.use();
  const [isOpened, setOpened] = useState(false);
  // The full list is added on the first use: each page has this control.
  const zones = isOpened ? allZones() : ["UTC"];
  const isListed = !chosen || zones.includes(chosen);
  return (
    <span className="relative inline-flex items-center text-xs text-ink-2 hover:text-ink max-lg:hidden">
      <Clock aria-hidden className="pointer-events-none absolute left-1.5 size-3.5" />
      <select
        aria-label={sharedText.timeZone}
        value={chosen ?? BROWSER}
        onPointerDown={() => setOpened(true)}
        onFocus={() => setOpened(true)}
        onChange={({ target }) => chooseZone(target.value || undefined)}
        className="field-sizing-content h-7 max-w-44 cursor-pointer appearance-none truncate rounded-md bg-transparent pr-6 pl-6.5 hover:bg-hover"
      >
        <option value={BROWSER}>{chosen ? sharedText.browserZone : zoneLabel(timeZone())}</option>
        {!isListed && <option value={chosen}>{zoneLabel(chosen)}</option>}
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone === chosen ? zoneLabel(zone) : zone}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute right-1.5 size-3.5" />
    </span>
  );
}
