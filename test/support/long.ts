/** Whether `npm run test:all` runs, which leaves no test of a file out. */
export const isLong = process.env.VIGIL_LONG_TESTS === '1';

/** A test that `npm test` leaves out: a process dies at one more place, or one more variant is played. */
export const longTest = isLong ? test : test.skip;

/** Returns how many of so many random cases run: all for `npm run test:all`, and a fifth for `npm test`. */
export const fifthOf = (count: number): number => (isLong ? count : Math.ceil(count / 5));

/** Returns all cases for `npm run test:all`, and each fifth one for `npm test`. */
export const everyFifth = <Case>(cases: readonly Case[]): readonly Case[] =>
  isLong ? cases : cases.filter((_, index) => index % 5 === 0);

/** Returns all cases for `npm run test:all`, and the first one for `npm test`. */
export const someOf = <Case>(cases: readonly Case[]): readonly Case[] => (isLong ? cases : cases.slice(0, 1));
