import type { Conversation } from 'vigil-client';
import { isShared, type Member, type PeopleState } from 'vigil-client/shared';
import { personName } from '../words/person';

type Of = Pick<Conversation, 'owner' | 'members' | 'offeredTo' | 'role' | 'takenBy'>;

/** Somebody in a conversation. */
export interface Who {
  user: string;
  name: string;
  isMe: boolean;
}

/** The people of a conversation, as its reader sees them. */
export interface People {
  role: 'owner' | 'member' | 'watcher';
  /** Whether there are others than its owner. */
  isShared: boolean;
  owner: Who;
  /** Those who are known by themselves, and not by a group alone: the owner first. Who has taken it over is one of them. */
  all: readonly Who[];
  /** Those who want to be let in. */
  asking: readonly Member[];
  /** Whether the conversation is offered to the reader. */
  isOffered: boolean;
}

const beginning = 'user:';
/** Returns the user whom a member is; undefined for a group. */
export const userOf = ({ member }: Pick<Member, 'member'>): string | undefined =>
  member.startsWith(beginning) ? member.slice(beginning.length) : undefined;

/** Returns how the page names a member: a user, or a group. */
export const memberName = (one: Member): string => {
  const user = userOf(one);
  return user === undefined ? one.member.slice('group:'.length) : personName(user, one.name);
};

/** Returns how the page names a member of these people. */
export const nameAmong = ({ all }: People, member: Member): string =>
  all.find(({ user }) => user === userOf(member))?.name ?? memberName(member);

/** @param me the reader, with the name that the page shows for them. */
export function peopleOf(of: Of | undefined, reads: PeopleState['reads'], me: Pick<Who, 'user' | 'name'>): People {
  const { members = [], role = 'owner', offeredTo, takenBy } = of ?? {};
  const owner = of?.owner ?? me.user;
  const whoIs = (user: string, name = reads.get(user)?.name): Who => ({
    user,
    name: personName(user, name ?? (user === me.user ? me.name : undefined)),
    isMe: user === me.user,
  });
  const named = members.flatMap((one) => {
    const user = userOf(one);
    return user === undefined || one.asks ? [] : [whoIs(user, one.name ?? reads.get(user)?.name)];
  });
  if (takenBy && !named.some(({ user }) => user === takenBy.user)) named.push(whoIs(takenBy.user, takenBy.name));
  const known = new Set([owner, ...named.map(({ user }) => user)]);
  // Those of a group who have looked. Without a group, others have left: who had taken it over, for example.
  const hasGroup = members.some((one) => userOf(one) === undefined);
  const looked = hasGroup ? [...reads.keys()] : [];
  const ofGroups = looked.filter((user) => !known.has(user)).map((user) => whoIs(user));
  return {
    role,
    isShared: isShared(members, takenBy),
    owner: whoIs(owner),
    all: [whoIs(owner), ...named, ...ofGroups],
    asking: members.filter(({ asks }) => asks),
    isOffered: offeredTo === me.user,
  };
}

/** Returns the people of a message field's text: those whose name stands there behind an `@`. */
export const mentionedIn = (text: string, people: readonly Who[]): Who[] =>
  people.filter(({ name, isMe }) => !isMe && placesOf(text, name).length > 0);

function placesOf(text: string, name: string): number[] {
  const places: number[] = [];
  const sought = `@${name}`.toLowerCase();
  const all = text.toLowerCase();
  for (let at = all.indexOf(sought); at >= 0; at = all.indexOf(sought, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + sought.length] ?? ' '];
    if (!isOfWord(before) && !isOfWord(after)) places.push(at);
  }
  return places;
}

const isOfWord = (character: string): boolean => /[\p{L}\p{N}_]/u.test(character);

/** A part of a message; with `user`, the mention of one. */
export interface MentionPart {
  text: string;
  user?: string;
}

/** Takes a message apart at the mentions of these people. */
export function partsOf(text: string, people: readonly Pick<Who, 'user' | 'name'>[]): MentionPart[] {
  const found = people
    .flatMap(({ user, name }) => placesOf(text, name).map((at) => ({ at, user, length: name.length + 1 })))
    // Of “@Ann Lee” and “@Ann”, the longer one.
    .sort((a, b) => a.at - b.at || b.length - a.length);
  const parts: MentionPart[] = [];
  let end = 0;
  for (const { at, user, length } of found) {
    if (at < end) continue;
    if (at > end) parts.push({ text: text.slice(end, at) });
    parts.push({ text: text.slice(at, at + length), user });
    end = at + length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Returns the beginning of a name that is typed behind an `@` before the caret, and where it begins. */
export function soughtAt(text: string, caret: number): { from: number; words: string } | undefined {
  const [, words] = /(?:^|[\s(])@([\p{L}\p{N}_.@+-]{0,40})$/u.exec(text.slice(0, caret)) ?? [];
  return words === undefined ? undefined : { from: caret - words.length - 1, words };
}

/** Returns whom a beginning may name: by the beginning of any word of their name. */
export const offered = (people: readonly Who[], words: string): Who[] => {
  const sought = words.toLowerCase();
  const begins = (name: string) =>
    name.toLowerCase().startsWith(sought) ||
    name
      .toLowerCase()
      .split(/\s+/)
      .some((word) => word.startsWith(sought));
  return people.filter(({ isMe, name }) => !isMe && begins(name)).slice(0, 6);
};

/**
 * Returns whose face stands below each item: at the last one that they have seen.
 *
 * @param seqs the message of each item, if it is one, in order.
 */
export function seenAt(
  seqs: readonly (number | undefined)[],
  people: readonly Who[],
  reads: PeopleState['reads'],
): ReadonlyMap<number, Who[]> {
  const places = new Map<number, Who[]>();
  for (const one of people) {
    const { seq = 0 } = reads.get(one.user) ?? {};
    const at = one.isMe ? -1 : seqs.findLastIndex((other) => other !== undefined && other <= seq);
    if (at >= 0) places.set(at, [...(places.get(at) ?? []), one]);
  }
  return places;
}

/** Returns the initials of a name. */
export function initials(name: string): string {
  const words = name.split(/[\s._@-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const ends = words.length > 1 && !name.includes('@') ? [words[0]!, words.at(-1)!] : words.slice(0, 1);
  return ends.map((word) => [...word][0]!.toLocaleUpperCase()).join('') || '?';
}

/** Returns the hue of a user's face, the same on every page. */
export function hueOf(user: string): number {
  let sum = 7;
  for (const character of user) sum = (sum * 31 + character.codePointAt(0)!) % 3_600;
  return sum / 10;
}
