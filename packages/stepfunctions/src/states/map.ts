import type { Branch, Children, MapItem, TaskWait, Writing } from '../execution/execution';
import { type Limits, sizeOf, tolerance } from '../execution/map-run';
import { type Progress, waits } from '../execution/state';
import type { Transition } from '../execution/transition';
import { type Failure, runtimeFailure } from '../language/errors';
import type { Json, JsonObject } from '../language/json';
import type { Scope } from '../language/scope';
import type { Steps } from '../language/steps';
import type { CompileContext } from './compile';
import type { ContainerState } from './container';
import { distributedMap } from './distributed-map';
import { inlineMap } from './inline-map';
import { compileItems, compileSelector } from './items/map-items';
import { numberField } from './number-field';

/** The differences between a map that iterates inside its execution and one that starts child executions. */
export interface MapMode {
  /** The number of iterations that run at a time if the state does not set it. */
  readonly most: number;
  /** The children have a history and variables of their own. */
  readonly isolated: boolean;
  /** Asks for an ItemReader's items, which replace those of the input. */
  request?(transition: Transition, branch: Branch, scope: Scope): Steps<void>;
  /** The items, when all have been read; until then it asks for more. */
  read?(
    transition: Transition,
    branch: Branch,
    scope: Scope,
    answer: Json,
    asked: TaskWait,
  ): Steps<readonly MapItem[] | undefined>;
  /** Makes batches of the items. */
  batch?(items: readonly MapItem[], scope: Scope): Steps<MapItem[]>;
  /** Checks and returns how many iterations may fail. */
  limits(scope: Scope): Steps<Limits>;
  started(transition: Transition, branch: Branch): void;
  /** The iterations are known. */
  launched(branch: Branch, items: readonly MapItem[], limits: Limits): void;
  iterationStarted(transition: Transition, child: Branch, index: number, children: Children): void;
  iterationSucceeded(transition: Transition, branch: Branch, index: number): void;
  iterationFailed(transition: Transition, branch: Branch, index: number): void;
  /** The state's result, and what is to be written first. */
  results?(branch: Branch, children: Children, scope: Scope): Steps<Writing>;
  /** Asks for the first of the objects to be written. */
  write?(transition: Transition, branch: Branch, writing: Writing): void;
  succeeded(transition: Transition, branch: Branch): void;
  /** @param asked the state's own request that has failed, where no iteration has */
  failed(transition: Transition, branch: Branch, failure: Failure, asked?: TaskWait): Failure;
}

/** Section "Map state": runs its item processor once for each item. */
export function compileMap(fields: JsonObject, context: CompileContext): ContainerState {
  const base = context.base(fields);
  const processor = (fields.ItemProcessor ?? fields.Iterator) as JsonObject;
  const block = context.block(processor);
  const distributed = (processor.ProcessorConfig as JsonObject | undefined)?.Mode === 'DISTRIBUTED';
  const mode = distributed ? distributedMap(fields, context) : inlineMap(context.name);
  const items = compileItems(fields, context.jsonata);
  const select = compileSelector(fields, context.jsonata);
  const concurrency = numberField(fields, 'MaxConcurrency', context.jsonata);

  function* mostAtATime(scope: Scope): Steps<number> {
    const most = (yield* concurrency(scope)) ?? 0;
    if (most >= 0) return most;
    throw runtimeFailure(`Expected non-negative integer for MaxConcurrency, got '${most}' instead.`);
  }

  const reading = (transition: Transition, branch: Branch, item?: MapItem): Scope => {
    const scope = transition.scope(branch, item && { item });
    return { ...scope, input: base.flow.input(scope) };
  };

  function* selected(transition: Transition, branch: Branch, item: MapItem): Steps<Json> {
    return select ? yield* select(reading(transition, branch, item)) : item.value;
  }

  /** "Step Functions applies each option … in the order": ItemSelector makes the items that ItemBatcher puts together. */
  function* batched(
    transition: Transition,
    branch: Branch,
    found: readonly MapItem[],
    scope: Scope,
  ): Steps<readonly MapItem[]> {
    if (mode.batch === undefined) return found;
    const items: MapItem[] = [];
    for (const item of found) items.push({ ...item, value: yield* selected(transition, branch, item) });
    return yield* mode.batch(items, scope);
  }

  /** Begins as many iterations as may run, and ends the state after the last one. */
  function* proceed(
    transition: Transition,
    branch: Branch,
    children: Children,
    previous = branch.previous,
  ): Steps<Progress> {
    while (children.running.size < children.limit && children.next < children.items.length) {
      const index = children.next;
      const item = children.items[index]!;
      const input = mode.batch ? item.value : yield* selected(transition, branch, item);
      children.next += 1;
      const child = transition.fork(branch, { block, index, input, previous, item, isolated: mode.isolated });
      mode.iterationStarted(transition, child, index, children);
    }
    if (children.running.size > 0) return waits;
    if (mode.results)
      return end(transition, branch, yield* mode.results(branch, children, reading(transition, branch)));
    return end(transition, branch, {
      objects: [],
      result: children.results.filter((each): each is Json => each !== undefined),
    });
  }

  /** Writes what there is to write, one object after the other; then the state has succeeded. */
  function end(transition: Transition, branch: Branch, writing: Writing): Progress {
    if (writing.objects.length > 0) {
      mode.write!(transition, branch, writing);
      return waits;
    }
    // What follows does not follow these two, says AWS's history since the end of 2024.
    const { previous } = branch;
    mode.succeeded(transition, branch);
    transition.event(branch, 'MapStateSucceeded');
    branch.previous = previous;
    return { kind: 'result', result: writing.result };
  }

  /** `begin` stands between the check of the limits and the first iteration. */
  function* launch(
    transition: Transition,
    branch: Branch,
    list: readonly MapItem[],
    scope: Scope,
    most: number,
    begin?: MapMode['started'],
  ): Steps<Progress> {
    const limit = most || mode.most;
    const limits = yield* mode.limits(scope);
    begin?.(transition, branch);
    mode.launched(branch, list, { maxConcurrency: most, ...limits });
    const children: Children = {
      running: new Map(),
      results: [],
      next: 0,
      items: list,
      limit,
      failed: 0,
      tolerated: tolerance(limits, sizeOf(list)),
      ...(mode.isolated && { runs: [] }),
    };
    branch.waiting = { kind: 'children', children };
    return yield* proceed(transition, branch, children);
  }

  function fail(transition: Transition, branch: Branch, failure: Failure, asked?: TaskWait): Progress {
    return { kind: 'failed', failure: mode.failed(transition, branch, failure, asked) };
  }

  return {
    ...base,
    *enter(transition, branch) {
      const scope = reading(transition, branch);
      // The other limits are read only when the state has started, as on AWS.
      const most = yield* mostAtATime(scope);
      const given = mode.request ? [] : yield* items(scope, distributed);
      const found = distributed ? given.map((item) => ({ ...item, source: 'STATE_DATA' })) : given;
      const list = yield* batched(transition, branch, found, scope);
      transition.event(branch, 'MapStateStarted', () => ({ length: found.length }));
      if (mode.request) {
        yield* mode.limits(scope);
        mode.started(transition, branch);
        yield* mode.request(transition, branch, scope);
        return waits;
      }
      return yield* launch(transition, branch, list, scope, most, mode.started);
    },
    *requestSucceeded(transition, branch, answer, asked) {
      const { writing } = asked;
      if (writing) return end(transition, branch, { ...writing, objects: writing.objects.slice(1) });
      const scope = reading(transition, branch);
      const found = yield* mode.read!(transition, branch, scope, answer, asked);
      if (found === undefined) return waits;
      const list = yield* batched(transition, branch, found, scope);
      return yield* launch(transition, branch, list, scope, yield* mostAtATime(scope));
    },
    requestFailed: fail,
    proceed,
    *childSucceeded(transition, branch, children, index) {
      Object.assign(children.runs?.[index] ?? {}, { output: children.results[index], stop: transition.time });
      const { previous } = branch;
      mode.iterationSucceeded(transition, branch, index);
      // The next iteration follows the last event inside this one.
      return yield* proceed(transition, branch, children, previous);
    },
    *childFailed(transition, branch, children, index, failure) {
      children.failed += children.items[index]!.size ?? 1;
      Object.assign(children.runs?.[index] ?? {}, { failure, stop: transition.time });
      mode.iterationFailed(transition, branch, index);
      if (children.failed > (children.tolerated ?? 0)) return fail(transition, branch, failure);
      return yield* proceed(transition, branch, children);
    },
  };
}
