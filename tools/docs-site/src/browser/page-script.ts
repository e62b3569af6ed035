import { startCopying } from "./copy-code.ts";
import { startSearch } from "./search-box.ts";
import { showWhereWeAre } from "./current-page.ts";
import { startThemeButton } from "./theme-button.ts";

showWhereWeAre();
startThemeButton();
startCopying();
startSearch((document.currentScript as HTMLScriptElement).dataset["root"] ?? "");
