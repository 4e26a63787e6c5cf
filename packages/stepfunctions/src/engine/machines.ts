import type { Program } from '../execution/program';
import { type Json, type JsonObject, parseJson } from '../language/json';
import { compileProgram } from '../states/compile';

/** One definition of a state machine. Executions keep the revision that they started with. */
export interface Revision {
  /** Counts the revisions of an engine; executions name theirs by it. */
  readonly number: number;
  readonly revisionId: string;
  readonly stateMachineArn: string;
  readonly name: string;
  /** Tells state machines apart that had one name, one after another; the first one has none. */
  readonly identity?: string;
  readonly type: 'STANDARD' | 'EXPRESS';
  /** JSON text, as it came. */
  readonly definition: string;
  readonly roleArn: string;
  readonly creationDate: number;
  readonly settings: JsonObject;
}

export interface StateMachine {
  readonly arn: string;
  readonly name: string;
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly creationDate: number;
  current: Revision;
  status: 'ACTIVE' | 'DELETING';
  tags: Record<string, string>;
  versions: Version[];
  lastVersion: number;
  /** The version settings of its creation: part of what makes a second creation the same. */
  creation?: { publish: boolean; versionDescription: string | undefined };
  /** By their names; a journal from before there were aliases has none. */
  aliases?: Record<string, Alias>;
}

/** Names one version, or shares executions out between two. */
export interface Alias {
  description?: string;
  /** The weights add up to 100. */
  routes: { version: number; weight: number }[];
  creationDate: number;
  updateDate: number;
}

interface Version {
  number: number;
  description?: string;
  revision: Revision;
  creationDate: number;
}

/** Returns the key of executions: the name, and for a state machine created again under it, which one. */
export const identityOf = ({ name, identity = name }: Pick<Revision, 'name' | 'identity'>): string => identity;

/** Compiles each revision when it is first needed, once. */
export function programs(): (revision: Revision) => Program {
  const compiled = new WeakMap<Revision, Program>();
  return (revision) => {
    let program = compiled.get(revision);
    if (program === undefined) {
      program = compileProgram(parseJson(revision.definition) as JsonObject);
      compiled.set(revision, program);
    }
    return program;
  };
}

/** A journal entry for anything but an execution: one JSON value for each key. */
export type CatalogueEntry = { key: string; value?: Json };
