import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { ComponentProps, ReactElement, ReactNode } from "react";

const ITEM =
  "flex min-h-8 items-center gap-2 rounded-md px-2 text-sm outline-none select-none data-highlighted:bg-hover";

interface MenuProps {
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "end";
}

export function Menu({ trigger, children, align = "start" }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="z-50 outline-none" sideOffset={6} align={align}>
          <Base.Popup className="pops max-h-(--available-height) min-w-52 origin-(--transform-origin) overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg outline-none">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem({
  icon,
  children,
  ...rest
}: ComponentProps<typeof Base.Item> & { icon?: ReactNode }) {
  return (
    <Base.Item {...rest} className={ITEM}>
      {icon}
      {children}
    </Base.Item>
  );
}

interface MenuChoicesProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string; note?: string }[];
  onChange(value: Value): void;
}

/** Radio group in a menu. */
export function MenuChoices<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: MenuChoicesProps<Value>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-xs font-medium text-ink-2">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as Value)}>
        {choices.map((choice) => (
          <Base.RadioItem key={choice.value} value={choice.value} closeOnClick className={ITEM}>
            <span className="grow truncate">{choice.label}</span>
            {choice.note && <span className="text-xs text-ink-2">{choice.note}</span>}
            <Base.RadioItemIndicator
              className="size-4 data-unchecked:invisible"
              keepMounted
              render={<Check aria-hidden />}
            />
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

export function MenuLine() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}
