import * as z from 'zod';

const ofRun = { runId: z.string(), segment: z.number().int() };

/** What follows from a commit. Doing it twice changes nothing. */
export const Todo = z.discriminatedUnion('does', [
  /** Starts the execution of a run's segment. */
  z.object({ does: z.literal('start'), ...ofRun, step: z.number().int() }),
  /** Starts the execution of a timer's segment. */
  z.object({ does: z.literal('wait'), timerId: z.string(), segment: z.number().int() }),
  /** Stops an execution that changes nothing any more, but might sleep for months. */
  z.object({
    does: z.literal('stop'),
    machine: z.enum(['loop', 'timer']),
    execution: z.string(),
    because: z.enum(['woken', 'cancelled', 'timer', 'renewed']),
  }),
  /** Starts the rollback of a cancelled run. `isHeld`: that of a failed run, which first waits for a retry. */
  z.object({ does: z.literal('rollback'), ...ofRun, at: z.iso.datetime(), isHeld: z.literal(true).optional() }),
  /** Closes what a cancelled run, and the failed runs that it has replaced, have left open, and messages that nobody reads. */
  z.object({
    does: z.literal('close'),
    run: z
      .object({ id: z.string(), undoFrom: z.number().int().optional(), stoppedBy: z.string().optional() })
      .optional(),
    messages: z.array(z.number().int()),
  }),
  /** Reports the outcome of a sub-agent's run to the run that has asked for it. */
  z.object({ does: z.literal('report') }),
  /** Resumes the executions that wait for a callback. They get only the route, and read the outcome from the table. */
  z.object({ does: z.literal('resume'), callbackId: z.string(), taskTokens: z.array(z.string()), route: z.string() }),
  /**
   * Tells a sub-agent, the provider of a model or a server that its work is no longer needed.
   *
   * @param stoppedBy another person than the owner has stopped the run: what the sub-agent has done stays.
   */
  z.object({ does: z.literal('withdraw'), callbackId: z.string(), stoppedBy: z.string().optional() }),
  /** Ends the run of a deleted conversation. */
  z.object({ does: z.literal('end') }),
  /** Ends and removes all that a deleted conversation has. */
  z.object({ does: z.literal('sweep') }),
]);
export type Todo = z.infer<typeof Todo>;

/** A to-do, and the conversation that it is about. */
export const DueTodo = z.object({ conversationId: z.string(), todo: Todo });
export type DueTodo = z.infer<typeof DueTodo>;

/** The transactional outbox: what follows from one transaction, which stores this row too. Who has done it empties the row. */
export const StoredTodos = z.object({ todos: z.array(DueTodo), at: z.iso.datetime() });
export type StoredTodos = z.infer<typeof StoredTodos>;

/** A row of to-dos, with its key. */
export type TodoRow = StoredTodos & { pk: string; sk: string };
