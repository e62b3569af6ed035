import type { App } from "../src/app.ts";
import type { OrderingCarrier } from "../src/numbers/carriers/carrier.ts";
import type { Door, Tx } from "../src/platform/db/database.ts";

export class Killed extends Error {
  constructor() {
    super("killed");
    this.name = "Killed";
  }
}

export interface Interrupted {
  app: App;
  /** Whether it came that far. */
  isInterrupted(): boolean;
}

/** Dead, it writes nothing any longer and says nothing, as after SIGKILL. */
export function dyingApp(app: App, step: number): Interrupted {
  let isDead = false;
  return interruptedApp(app, step, () => {
    isDead = true;
    return { alive: () => !isDead };
  });
}

/** At a step something else happens, such as another worker's turn; then it continues. */
export function overtakenApp(app: App, step: number, meanwhile: () => Promise<void>): Interrupted {
  return interruptedApp(app, step, async () => {
    await meanwhile();
    return { alive: () => true };
  });
}

type Interruption = { alive(): boolean };

/**
 * The program as in a worker, interrupted at its nth step: right after a commit, or after a request that the
 * carrier has received.
 */
function interruptedApp(
  app: App,
  interruptAt: number,
  interrupt: () => Interruption | Promise<Interruption>,
): Interrupted {
  let steps = 0;
  let interruption: Interruption | undefined;
  const goOn = (): void => {
    if (interruption?.alive() === false) throw new Killed();
  };
  const after = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    goOn();
    const outcome = await work().then(
      (result) => () => result,
      (error: unknown) => () => {
        throw error;
      },
    );
    steps += 1;
    if (steps === interruptAt) interruption = await interrupt();
    goOn();
    return outcome();
  };
  return {
    isInterrupted: () => interruption !== undefined,
    app: {
      ...app,
      db: {
        ...app.db,
        forSystem: doorWith(app.db.forSystem, after, goOn),
        forOrganisation: doorWith(app.db.forOrganisation, after, goOn),
      },
      carriers: {
        ...app.carriers,
        openFor: (...wanted) => app.carriers.openFor(...wanted).map((one) => carrierWith(one, after)),
        named: (name) => {
          const found = app.carriers.named(name);
          return found && carrierWith(found, after);
        },
      },
    },
  };
}

type After = <Result>(work: () => Promise<Result>) => Promise<Result>;

function doorWith<Who, Inside extends Tx>(
  door: Door<Who, Inside>,
  after: After,
  goOn: () => void,
): Door<Who, Inside> {
  return Object.assign(
    <Result>(who: Who, work: (tx: Inside) => Promise<Result>) => after(() => door(who, work)),
    {
      read: async <Row>(who: Who, text: string, values?: unknown[]) => {
        goOn();
        return door.read<Row>(who, text, values);
      },
      readPlanned: async <Row>(who: Who, text: string, values?: unknown[]) => {
        goOn();
        return door.readPlanned<Row>(who, text, values);
      },
      write: <Row>(who: Who, text: string, values?: unknown[]) =>
        after(() => door.write<Row>(who, text, values)),
    },
  );
}

function carrierWith(carrier: OrderingCarrier, after: After): OrderingCarrier {
  const { inventory, ordering } = carrier;
  return {
    ...carrier,
    ...(inventory && {
      inventory: { ...inventory, search: (...given) => after(() => inventory.search(...given)) },
    }),
    ordering: {
      ...ordering,
      order: (...given) => after(() => ordering.order(...given)),
      orderStatus: (...given) => after(() => ordering.orderStatus(...given)),
      release: (...given) => after(() => ordering.release(...given)),
      releaseStatus: (...given) => after(() => ordering.releaseStatus(...given)),
    },
  };
}
