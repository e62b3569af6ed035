import { OperatorPage } from "./OperatorPage.tsx";
import { ServerCommand } from "./ServerCommand.tsx";

/** Numbers come in where the files are: on the server. */
export function PoolPage() {
  return (
    <OperatorPage
      title="Pool"
      says="Numbers of yours that organisations order. They are loaded on the server, where the table is; what there is of them a comparison with the carrier called pool counts."
    >
      <ServerCommand
        says="Load numbers nobody holds (columns: number, type). With --dry-run nothing is loaded."
        command="npm run operator -- stock-numbers numbers.csv --country DE --dry-run"
      />
      <ServerCommand
        says="Give an organisation numbers it has already (columns: number, label, tags)."
        command="npm run operator -- import-numbers numbers.csv --organisation <uuid> --dry-run"
      />
      <ServerCommand
        says="Send the calls of a number nowhere."
        command="npm run operator -- suspend-number +493010000001"
      />
      <ServerCommand
        says="Let the calls of a suspended number through again."
        command="npm run operator -- resume-number +493010000001"
      />
    </OperatorPage>
  );
}
