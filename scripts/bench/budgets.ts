/**
 * What Vigil may cost, in figures that can be counted: the same on every machine. A test fails when a limit is passed. Lower a limit when a
 * figure falls; raise one in a separate commit that says what was bought with it.
 */
export interface Budget {
  /** What is counted. */
  what: string;
  limit: number;
  unit: '' | 'KB' | 'MB';
}

const bundle = (id: string, limit: number) => ({ what: `the bundle of ${id}`, limit, unit: 'KB' as const });

export const budgets = {
  // A message to a new conversation that is answered without a tool; and a step that calls a tool, with the tool. As Api, CallModel and the tool
  // make them, without the relay, the live view and the titles.
  'message.requests': { what: 'a message: requests to the table', limit: 12, unit: '' },
  'message.rounds': { what: 'a message: requests one after the other', limit: 10, unit: '' },
  'message.writeUnits': { what: 'a message: write units', limit: 33, unit: '' },
  'message.readUnits': { what: 'a message: read units', limit: 8, unit: '' },
  'step.requests': { what: 'a step with a tool: requests to the table', limit: 13, unit: '' },
  'step.rounds': { what: 'a step with a tool: requests one after the other', limit: 12, unit: '' },
  'step.writeUnits': { what: 'a step with a tool: write units', limit: 26, unit: '' },
  'step.readUnits': { what: 'a step with a tool: read units', limit: 8, unit: '' },
  // CallModel and Api know the texts of every agent and tool. CallModel also has the models' clients, Api its routes and the clients of AWS.
  'bundle.CallModel': bundle('CallModel', 710),
  'bundle.Api': bundle('Api', 945),
  'bundle.Reconcile': bundle('Reconcile', 555),
  // The SDK serves both generations of the protocol, with the schemas of each.
  'bundle.Mcp': bundle('Mcp', 850),
  'bundle.Notify': bundle('Notify', 570),
  // The names of OpenTelemetry's conventions, and what redacts.
  'bundle.Telemetry': bundle('Telemetry', 605),
  'bundle.RunIsolated': bundle('RunIsolated', 600),
  'bundle.ScrapeWebsite': bundle('ScrapeWebsite', 655),
  // A JavaScript engine.
  'bundle.RunCode': bundle('RunCode', 1_230),
  'bundle.others': bundle('each other function', 530),
  'stack.shipped.resources': { what: 'resources of the shipped stack', limit: 156, unit: '' },
  'stack.shipped.functions': { what: 'functions of the shipped stack', limit: 26, unit: '' },
  'stack.smallest.resources': { what: 'resources of a stack of one agent without tools', limit: 98, unit: '' },
  'stack.smallest.functions': { what: 'functions of a stack of one agent without tools', limit: 8, unit: '' },
  'install.packages': { what: 'packages that an installation has, by the lock file', limit: 199, unit: '' },
  'install.megabytes': { what: 'the same packages, without those of one platform', limit: 135, unit: 'MB' },
  'page.kilobytes': { what: 'the page before a conversation opens, gzip', limit: 149, unit: 'KB' },
} satisfies Record<string, Budget>;

export type BudgetName = keyof typeof budgets;
export type Counted = Partial<Record<BudgetName, number>>;

/** The budget of a function's bundle. */
export const bundleBudget = (id: string): BudgetName =>
  Object.hasOwn(budgets, `bundle.${id}`) ? (`bundle.${id}` as BudgetName) : 'bundle.others';

/** Returns the budgets that are passed, each with what to do. */
export const passedBudgets = (counted: Counted): string[] =>
  (Object.entries(counted) as [BudgetName, number][]).flatMap(([name, figure]) => {
    const { limit, unit, what } = budgets[name];
    const shown = (value: number) => `${Math.round(value * 10) / 10}${unit && ` ${unit}`}`;
    if (figure <= limit) return [];
    return [
      `${name} (${what}) is ${shown(figure)}, and its limit is ${shown(limit)}. Bring it down; or raise the limit in scripts/bench/budgets.ts, in a separate commit that says what was bought.`,
    ];
  });
