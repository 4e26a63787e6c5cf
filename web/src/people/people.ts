import type { Approvers } from 'vigil-client/shared';

/** Somebody for whom the local cloud signs tokens: any name, with these groups and claims. */
export interface Person {
  name: string;
  groups: readonly string[];
  claims: Readonly<Record<string, string>>;
}

/** The people of this browser. Only the local cloud lets anybody be anybody. */
export interface People {
  /** The first two are always there. */
  list(): readonly Person[];
  /** Returns all of them with their users' ids, which are in their tokens. @throws RequestFailed. */
  withIds(): Promise<readonly (Person & { user: string })[]>;
  /**
   * Adds a person whom the local cloud accepts. The caller checks that the name is not taken.
   *
   * @throws RequestFailed that names the field: `user`, `groups` or `claims`.
   */
  add(person: Person): Promise<void>;
  remove(name: string): void;
  /** Reloads the page as another person. */
  become(name: string): void;
  /** Returns the groups and claims that tools name as their approvers. */
  approvers(): Promise<readonly Approvers[]>;
}

const place = 'vigil.people';

export const firstPeople: readonly Person[] = ['ada', 'grace'].map((name) => ({ name, groups: [], claims: {} }));

/** Returns all people, the first two included. */
export const keptPeople = (): readonly Person[] => [...firstPeople, ...peopleFrom(localStorage.getItem(place))];

export function keepPeople(people: readonly Person[]): void {
  const made = people.filter((person) => isMade(person));
  if (made.length > 0) localStorage.setItem(place, JSON.stringify(made));
  else localStorage.removeItem(place);
}

/** Whether the person was made in this browser, and can be removed. */
export const isMade = ({ name }: Pick<Person, 'name'>): boolean => firstPeople.every((one) => one.name !== name);

/** Reads the made people. What is no person is left out. */
export function peopleFrom(stored: string | null): readonly Person[] {
  try {
    const people: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(people) ? people.filter(isPerson).filter(isMade) : [];
  } catch {
    return [];
  }
}

function isPerson(value: unknown): value is Person {
  const { name, groups, claims } = (value ?? {}) as Record<string, unknown>;
  const areTexts = (all: unknown[]) => all.every((one) => typeof one === 'string');
  if (typeof name !== 'string' || !Array.isArray(groups) || !areTexts(groups)) return false;
  return typeof claims === 'object' && claims !== null && areTexts(Object.values(claims));
}

/** Returns a person's groups and claims in words: "finance, team: treasury". */
export const memberships = ({ groups, claims }: Pick<Person, 'groups' | 'claims'>): string =>
  [...groups, ...Object.entries(claims).map(([claim, value]) => `${claim}: ${value}`)].join(', ');

/** Returns the address of the page of one person, or of two side by side. */
export const addressAs = (...names: string[]): string =>
  `/?${new URLSearchParams(names.map((name) => ['as', name])).toString()}`;
