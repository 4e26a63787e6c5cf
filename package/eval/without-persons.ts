import type { Conversation, Message } from 'vigil-client';
import type { DecisionField } from 'vigil-client/shared';
import { isPlain } from '../../core/base/schemas/definition';
import { type PersonalKind, StandIns } from './stand-ins';

/**
 * Returns a conversation without personal data, keys and signed addresses, as the API gives it otherwise. Every text in it is looked at,
 * and every name of a field, wherever it is: arguments, results, titles, file names, errors, feedback, metadata. It is for people to review:
 * code knows the names that fields and people's own entries have, and not those in the middle of a sentence.
 *
 * @param more what else is to be replaced, such as the name of a company.
 */
export function withoutPersons(
  recorded: Conversation,
  more: readonly string[] = [],
): { conversation: Conversation; standIns: StandIns } {
  const standIns = new StandIns();
  for (const words of more) standIns.know('words', words);
  for (const id of usersIn(recorded)) standIns.know('user', id);
  for (const name of namesIn(recorded)) standIns.know('person', name);
  const { kept, ids } = ownNames(recorded);
  for (const id of ids) standIns.know('conversation', id);
  collect(recorded, standIns, kept);
  // The client's own ids may be words, and nothing refers to them.
  const messages = recorded.messages.map(({ clientMessageId: _, ...message }) => message);
  return { conversation: new Walk(standIns, kept).value({ ...recorded, messages }) as Conversation, standIns };
}

/** The users of a conversation: their ids are in no text, but for what people write. */
function usersIn(recorded: Conversation): Set<string> {
  const { owner, offeredTo, startedBy, takenBy, members = [], reads = [], messages, calls, callbacks } = recorded;
  const ids = [
    owner,
    offeredTo,
    startedBy,
    takenBy?.user,
    ...members.flatMap(({ member }) => (member.startsWith('user:') ? [member.slice('user:'.length)] : [])),
    ...reads.map(({ user }) => user),
    ...messages.flatMap(({ role, author, mentions = [], feedback = [] }) => [
      ...(role === 'user' ? [author] : []),
      ...mentions,
      ...feedback.map(({ user }) => user),
    ]),
    ...calls.map(({ decidedBy }) => decidedBy),
    ...callbacks.flatMap(({ decisions = [], assigned, outcome }) => [
      ...decisions.flatMap(({ by, inPlaceOf }) => [by, inPlaceOf]),
      assigned?.to,
      assigned?.by,
      isPlain(outcome) ? outcome.by : undefined,
    ]),
  ];
  return new Set(ids.filter((id): id is string => typeof id === 'string' && id !== ''));
}

/** The names that people have in a conversation. */
function namesIn({ members = [], reads = [], takenBy, messages, callbacks }: Conversation): Set<string> {
  const names = [
    ...[...members, ...reads].map(({ name }) => name),
    takenBy?.name,
    ...messages.map(({ authorName }) => authorName),
    ...callbacks.flatMap(({ decisions = [], assigned }) => [
      ...decisions.map(({ name }) => name),
      assigned?.toName,
      assigned?.byName,
    ]),
  ];
  return new Set(names.filter((name) => name !== undefined && name.trim() !== '') as string[]);
}

/** The names in code, which stay, and the ids of conversations, which their clients may have chosen. */
function ownNames({
  agent,
  id,
  rootId,
  parentId,
  run,
  messages,
  calls,
  callbacks,
  timers,
  branches = [],
}: Conversation) {
  const names = [
    agent,
    run?.agent,
    ...messages.flatMap(({ role, author, model, hosted = [] }: Message) => [
      ...(role === 'user' ? [] : [author]),
      model,
      ...hosted.map(({ tool }) => tool),
    ]),
    ...[...calls, ...callbacks, ...timers].map(({ tool }) => tool),
    ...callbacks.map((one) => one.agent),
  ];
  const ids = [id, rootId, parentId, ...callbacks.map((one) => one.conversationId), ...branches.map((one) => one.id)];
  return {
    kept: new Set(names.filter((name) => name !== undefined)),
    ids: new Set(ids.filter((one) => one !== undefined)),
  };
}

/** Learns the names that fields and sentences give to people, so that they are replaced everywhere. */
function collect(value: unknown, standIns: StandIns, kept: ReadonlySet<string>, field = ''): void {
  if (Array.isArray(value)) for (const one of value) collect(one, standIns, kept, field);
  else if (isPlain(value)) for (const [name, one] of Object.entries(value)) collect(one, standIns, kept, name);
  if (typeof value !== 'string' || kept.has(value)) return;
  const inside = jsonIn(value);
  if (inside !== undefined) collect(inside, standIns, kept, field);
  const kind = inside === undefined ? kindOf(field, value) : undefined;
  if (kind) standIns.know(kind, value);
  for (const [, name] of value.matchAll(introduction)) standIns.know('person', name!);
}

class Walk {
  constructor(
    readonly standIns: StandIns,
    readonly kept: ReadonlySet<string>,
  ) {}

  value(value: unknown, field = '', isFree = false): unknown {
    if (typeof value === 'string') return this.#text(value, field);
    if (typeof value === 'number') return isFree ? this.#number(value, field) : value;
    if (Array.isArray(value)) return value.map((one) => this.value(one, field, isFree));
    if (!isPlain(value)) return value;
    if (isDecisionField(value)) return this.#decisionField(value);
    const entries = Object.entries(value).map(([name, one]) => [
      this.standIns.in(name),
      this.value(one, name, isFree || freeFields.has(name)),
    ]);
    return Object.fromEntries(entries);
  }

  /** As an approver reads it: the texts are JSON, and the field's name is a value. */
  #decisionField({ name, text, was, ...rest }: DecisionField): unknown {
    const change = (json: string) => {
      const inside = jsonIn(json);
      return inside === undefined ? this.#text(json, name) : JSON.stringify(this.value(inside, name, true));
    };
    return {
      ...(this.value(rest) as object),
      name: this.standIns.in(name),
      text: change(text),
      ...(was !== undefined && { was: change(was) }),
    };
  }

  #text(text: string, field: string): string {
    if (this.kept.has(text)) return text;
    const inside = jsonIn(text);
    if (inside !== undefined) return JSON.stringify(this.value(inside, field, true));
    const kind = kindOf(field, text);
    // A part of a name is that person's, too.
    return kind && kind !== 'person' ? this.standIns.of(kind, text) : this.standIns.in(text);
  }

  /** Amounts and times stay. */
  #number(value: number, field: string): number {
    if (!Number.isInteger(value) || Math.abs(value) < 10_000_000 || amounts.test(inSnakeCase(field))) return value;
    return Number(this.standIns.of('number', String(Math.abs(value))));
  }
}

/** The fields whose JSON is a tool's or a client's. */
const freeFields: ReadonlySet<string> = new Set(['arguments', 'asked', 'result', 'outcome', 'metadata', 'data']);

const isDecisionField = (value: object): value is DecisionField =>
  ['name', 'label', 'text'].every((field) => typeof (value as Record<string, unknown>)[field] === 'string');

/** JSON in a text has names of fields, and escapes, which would hide a name. */
function jsonIn(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const inSnakeCase = (field: string): string => field.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();

const amounts =
  /cents|amount|price|total|balance|sum|cost|microdollars|tokens|bytes|size|time|stamp|_at$|_ms$|millis|seconds/;
const ofThings =
  /(?:tool|agent|model|host|event|product|city|country|company|class|variable|field|column|table|type)_names?$/;
const ofPeople =
  /(?:^|_)(?:names?|payee|recipient|beneficiary|holder|customer|sender|guest|patient|passenger|contact|attendees?|to|from|cc)$/;
const secrets =
  /password|passwd|passphrase|secret|(?:^|_)token$|api_?key|authorization|credential|signature|cookie|session/;
const places = /(?:^|_)(?:address|street|post(?:al)?_?code|zip(?:_code)?)(?:_line_?\d|_?\d)?$/;
const accounts = /account|card|ssn|tax_?id|passport|insurance|licen[cs]e_?(?:no|number|plate)/;
const phones = /phone|mobile|(?:^|_)(?:tel|fax)(?:$|_)/;

/** Returns what a field says about its text; undefined if nothing, or if the text is not of that kind. */
function kindOf(field: string, text: string): PersonalKind | undefined {
  const name = inSnakeCase(field);
  const numbers = text.replace(/\D/g, '').length;
  const isAddress = /:\/\/|@/.test(text);
  if (text.trim() === '') return undefined;
  if (/^file_?name$/.test(name)) return 'file name';
  if (secrets.test(name)) return 'key';
  if (/birth|(?:^|_)dob$/.test(name)) return 'date of birth';
  if (ofThings.test(name)) return undefined;
  if (ofPeople.test(name) && looksLikeName.test(text.trim())) return 'person';
  if (phones.test(name) && numbers >= 5 && !isAddress) return 'phone';
  if (accounts.test(name) && numbers >= 4 && /^[\w ./-]{4,40}$/.test(text) && !isIbanLike.test(text)) return 'number';
  return places.test(name) && !isAddress ? 'address' : undefined;
}

const looksLikeName = /^\p{Lu}[\p{L}\p{M}'’.-]{0,30}(?:[ -]\p{Lu}[\p{L}\p{M}'’.-]{0,30}){0,4}$/u;
/** It has check digits, which the pattern knows. */
const isIbanLike = /^[A-Z]{2}\d{2}/i;
const introduction =
  /(?:my name is|my name’s|my name's|call me|I am|I’m|I'm|ich hei(?:ß|ss)e|mein Name ist|ich bin|me llamo|mi nombre es|soy|Dear|Mr\.?|Mrs\.?|Ms\.?|Dr\.?|Herr|Frau|Señora?|Sra?\.)\s+(\p{Lu}[\p{L}\p{M}'’-]{1,30}(?: \p{Lu}[\p{L}\p{M}'’-]{1,30}){0,2})/gu;
