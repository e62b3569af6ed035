import { Menu as Base } from "@base-ui/react/menu";
import { Check, Columns3 } from "lucide-react";
import { Button } from "../components/Button.tsx";
import { Menu } from "../components/Menu.tsx";
import { COLUMNS, ROUTING_COLUMNS } from "./numbers-columns.tsx";
import { numbersText } from "./numbers-text.ts";

interface ColumnChooserProps {
  hidden: readonly string[];
  seesRouting: boolean;
  onChange(hidden: readonly string[]): void;
}

export function ColumnChooser({ hidden, seesRouting, onChange }: ColumnChooserProps) {
  const choices = COLUMNS.filter(({ id }) => seesRouting || !ROUTING_COLUMNS.includes(id));
  return (
    <span className="max-md:hidden">
      <Menu
        align="end"
        trigger={
          <Button size="small" icon={<Columns3 aria-hidden className="size-3.5" />}>
            {numbersText.columns}
          </Button>
        }
      >
        {choices.map(({ id, header }) => (
          <Base.CheckboxItem
            key={id}
            checked={!hidden.includes(id)}
            onCheckedChange={(isShown) =>
              onChange(isShown ? hidden.filter((one) => one !== id) : [...hidden, id])
            }
            className="flex min-h-8 items-center gap-2 rounded-md px-2 text-sm outline-none select-none data-highlighted:bg-hover"
          >
            <span className="grow">{header}</span>
            <Base.CheckboxItemIndicator render={<Check aria-hidden className="size-4" />} />
          </Base.CheckboxItem>
        ))}
      </Menu>
    </span>
  );
}
