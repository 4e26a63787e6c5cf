import { prefix } from '../../core/conversations/rows/keys';
import type { Table } from '../../core/conversations/store/table';
import {
  type Command,
  isRead,
  type Journal,
  type MemoryTable,
  memoryTable,
  named,
  type Row,
  tableThrough,
} from './memory-table';
import type { Random } from './random';
import { TaskServer } from './task-server';

/**
 * What may become of a request.
 * - `dies-before`, `dies-after`: the process that made it is killed, before or after it was done.
 * - `zombie`: who waits for the process gives up on it; it goes on all the same.
 * - `error-500`: it was done, and the answer is an error. `lost`: it was done, and the connection broke.
 * - `throttled`, `conflict`: it was not done.
 */
export const fates = [
  ...(['dies-before', 'dies-after', 'zombie', 'error-500', 'lost', 'throttled', 'conflict'] as const),
];
export type Fate = (typeof fates)[number];

/** One run of a function: a Lambda's invocation, which may die. */
export interface Invocation {
  name: string;
  dead: boolean;
  /** Nobody waits for it any more: it goes on slowly. */
  isZombie?: boolean;
  /** Tells who waits for it that it is gone. */
  giveUp(error: Error): void;
}

/** What happened outside the table, in order: who looks at it knows nothing of what the rows say. */
export interface Ledger {
  /** Requests to the third party: each booking has the call's id as its key. */
  events: { kind: 'book' | 'unbook' | 'charge'; callId: string }[];
  booked: Set<string>;
  /** What tools have read: the file that was asked for, and the id of the bytes that came. */
  filesRead: { conversationId: string; id: string; found: string }[];
}

/** Something that waits for its turn. */
interface Turn {
  label: string;
  invocation?: Invocation;
  /** Which fates it may meet. */
  may: readonly Fate[];
  /** @param isLost nobody will get the answer. */
  perform(isLost: boolean): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface Sleeper {
  at: number;
  wake(): void;
  over(): boolean;
  /** Something that failed is done again then. */
  isRepeat: boolean;
}

const ofTable: readonly Fate[] = fates;
// Who is slow to begin meets what has happened meanwhile: that is where most goes wrong.
const ofReads: readonly Fate[] = ['dies-before', 'zombie', 'zombie', 'throttled'];

/**
 * All that happens, one thing at a time: each request to the table, the model, a third party or Step Functions waits until
 * the scheduler, by its seed, lets it happen, with a fate. After `faults` of them everything goes well, so that all come to rest.
 */
export class World {
  readonly table: MemoryTable;
  readonly ledger: Ledger = { events: [], booked: new Set(), filesRead: [] };
  readonly taskServer = new TaskServer();
  readonly schedule: string[] = [];
  readonly met = new Map<string, number>();
  /** Milliseconds since 1970. */
  time = Date.parse('2026-03-01T08:00:00Z');
  private readonly invocations = new WeakMap<Table, Invocation>();
  private turns: Turn[] = [];
  private sleepers: Sleeper[] = [];
  private failures: unknown[] = [];
  /** Told whenever only the time can bring something: nothing is under way, and nothing that failed is to be done again. */
  whenAllRests: () => void = () => undefined;

  constructor(
    readonly random: Random,
    private faults: number,
    journal?: Journal,
    private readonly isLossy = random.chance(0.25),
  ) {
    this.table = memoryTable(journal);
    World.current = this;
  }
  /** Whose the pauses are that the code under test makes. */
  static current: World;

  /** A pause before another try: over whenever the scheduler likes. */
  pause(over: () => void): void {
    const ended = () => undefined;
    this.turns.push({ label: 'a pause ends', may: [], perform: over, resolve: ended, reject: ended });
  }

  /** Whether something goes wrong here, as far as more may. */
  mayFail(probability: number): boolean {
    if (this.faults <= 0 || !this.random.chance(probability)) return false;
    this.faults -= 1;
    this.count('fate duplicate');
    return true;
  }

  /** Whether a message between services is lost. Only some worlds lose any. */
  loses(what: string): boolean {
    if (!this.isLossy || !this.random.chance(0.08)) return false;
    this.count(`lost ${what}`);
    return true;
  }

  count(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1);
  }

  /** Each process has a clock of its own, which may be wrong by some seconds. */
  clock(): () => Date {
    const skew = this.random.below(6_000) - 3_000;
    return () => new Date(this.time + skew);
  }

  /** Waits for its turn, then happens. Never answers to a process that has died. */
  request(
    label: string,
    invocation: Invocation | undefined,
    may: readonly Fate[],
    perform: Turn['perform'],
  ): Promise<unknown> {
    if (invocation?.dead) return new Promise(() => undefined);
    return new Promise((resolve, reject) => {
      this.turns.push({ label, invocation, may, perform, resolve, reject });
    });
  }

  tableOf(invocation: Invocation): Table {
    const table = tableThrough((command: Command) => {
      const [verb, may] = isRead(command) ? (['reads', ofReads] as const) : (['writes', ofTable] as const);
      const label = `${invocation.name} ${verb} ${labelOf(command)}`;
      const looking = { since: this.table.writes(), before: () => this.random.chance(0.5) };
      return this.request(label, invocation, may, (isLost) => this.table.perform(command, isLost, looking));
    });
    table.clock = () => new Date(this.time);
    this.invocations.set(table, invocation);
    return table;
  }
  /** The table for who looks on: nothing goes wrong, and nothing takes time. */
  aside(): Table {
    return tableThrough(async (command) => this.table.perform(command, false));
  }
  invocationOf = (table: Table): Invocation | undefined => this.invocations.get(table);
  /** Another form of an invocation's table. */
  noteTable(table: Table, invocation: Invocation): Table {
    this.invocations.set(table, invocation);
    return table;
  }

  /** Until a time, or until nobody waits for it any more. */
  sleep(at: number, over: () => boolean = () => false): Promise<void> {
    return new Promise((wake) => {
      this.sleepers.push({ at, wake, over, isRepeat: false });
    });
  }

  /** Until what failed is done again. */
  sleepBeforeRepeat(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      this.sleepers.push({ at: this.time + milliseconds, wake, over: () => false, isRepeat: true });
    });
  }

  /** Something that begins by itself, and whose failure is a failure of the exploration. */
  begin(what: () => Promise<unknown>): void {
    what().catch((error) => this.failures.push(error));
  }

  /** Lets everything happen until nothing is left, or for so many turns. */
  async run(most = 10_000): Promise<void> {
    for (let turn = 0; turn < most; turn++) {
      await quiet();
      if (this.failures.length > 0) throw this.failures[0];
      if (this.sleepers.some((one) => one.over())) this.sleepers = this.sleepers.filter((one) => !one.over());
      const due = this.sleepers.filter(({ at }) => at <= this.time);
      if (due.length > 0 && (this.turns.length === 0 || this.random.chance(0.3))) this.wake(this.random.pick(due));
      else if (this.turns.length > 0) this.take(this.next());
      else {
        if (!this.sleepers.some(({ isRepeat }) => isRepeat)) this.whenAllRests();
        if (this.sleepers.length === 0) return;
        this.time = Math.min(...this.sleepers.map(({ at }) => at));
      }
    }
    throw new Error(
      `It does not come to rest within ${most} turns: ${this.turns.map(({ label }) => label).join(' · ')}`,
    );
  }

  private next(): Turn {
    const found = this.random.below(this.turns.length);
    const isSlow = this.turns[found]!.invocation?.isZombie && this.random.chance(0.7);
    return this.turns.splice(isSlow ? this.random.below(this.turns.length) : found, 1)[0]!;
  }

  private wake(sleeper: Sleeper): void {
    this.sleepers.splice(this.sleepers.indexOf(sleeper), 1);
    sleeper.wake();
  }

  private take(turn: Turn): void {
    if (turn.invocation?.dead) return;
    this.time += this.random.below(400);
    const fate =
      this.faults > 0 && turn.may.length > 0 && this.random.chance(0.12) ? this.random.pick(turn.may) : undefined;
    this.schedule.push(`${turn.label}${fate ? ` → ${fate}` : ''}`);
    if (!fate) {
      this.finish(turn);
      return;
    }
    this.faults -= 1;
    this.count(`fate ${fate}`);
    this.count(`${fate} at ${turn.label.replace(/[a-z]_\S+|\d+/g, '*')}`);
    if (fate === 'throttled') turn.reject(named('ThrottlingException'));
    else if (fate === 'conflict') turn.reject(named('TransactionConflictException'));
    else if (fate === 'dies-before') this.kill(turn.invocation!);
    else if (fate === 'zombie') {
      turn.invocation!.isZombie = true;
      turn.invocation!.giveUp(named('States.Timeout'));
      this.finish(turn);
    } else {
      const done = attempt(turn, true);
      // What was refused was answered: only what was done can be lost.
      if ('error' in done) turn.reject(done.error);
      else if (fate === 'dies-after') this.kill(turn.invocation!);
      else if (fate === 'error-500') turn.reject(named('InternalServerError', { $metadata: { httpStatusCode: 500 } }));
      else turn.reject(named('TimeoutError', { code: 'ECONNRESET' }));
    }
  }

  private finish(turn: Turn): void {
    const done = attempt(turn, false);
    if ('error' in done) turn.reject(done.error);
    else turn.resolve(done.value);
  }

  private kill(invocation: Invocation): void {
    invocation.dead = true;
    invocation.giveUp(named('Lambda.Unknown'));
  }
}

function attempt({ perform }: Turn, isLost: boolean): { value: unknown } | { error: unknown } {
  try {
    const value = perform(isLost);
    // Its process may be dead by now, so that nobody waits for it.
    if (value instanceof Promise) value.catch(() => undefined);
    return { value };
  } catch (error) {
    return { error };
  }
}

function labelOf({ input }: Command): string {
  const keys = input.TransactItems?.map((item) => (item.Put?.Item ?? item.Update!.Key).sk) ?? [
    input.Key?.sk ?? input.Item?.sk ?? 'rows',
  ];
  return keys.map((sk) => sk.split('#')[0]).join('+');
}

/** Until no process can go on without a turn: a tick comes after all promises that are settled, and all that follow from them. */
const quiet = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** Whether the table's stream leads a row to the relay. */
export const isForRelay = (row: Row, before?: Row): boolean => row.sk.startsWith(prefix.todos) && !before;
