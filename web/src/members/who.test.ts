import { hueOf, initials, mentionedIn, offered, partsOf, peopleOf, seenAt, soughtAt, type Who } from './who';

const reads = new Map([
  ['ada', { user: 'ada', seq: 4, name: 'Ada Lovelace' }],
  ['gus', { user: 'gus', seq: 2, name: 'Gus' }],
]);
const members = [
  { member: 'user:ben', role: 'member' as const, name: 'Ben' },
  { member: 'group:sales', role: 'watcher' as const },
  { member: 'user:zoe', role: 'member' as const, asks: true as const },
];
const ben = { user: 'ben', name: 'benjamin' };
const who = (user: string, name: string): Who => ({ user, name, isMe: false });
const ann = who('a', 'Ann');
const lee = who('l', 'Ann Lee');

test('the people of a conversation are its owner, its members, and those of its groups who have looked (R226)', () => {
  const people = peopleOf({ owner: 'ada', members, role: 'member', offeredTo: 'ben' }, reads, ben);
  expect(people).toMatchObject({
    role: 'member',
    isShared: true,
    isOffered: true,
    owner: { user: 'ada', name: 'Ada Lovelace' },
    all: [{ user: 'ada' }, { user: 'ben', name: 'Ben', isMe: true }, { user: 'gus', name: 'Gus' }],
    asking: [{ member: 'user:zoe' }],
  });
});

test('a conversation of one person is its owner’s; one whose only member asks is not shared yet (R226)', () => {
  const alone = peopleOf(undefined, new Map(), ben);
  expect(alone).toMatchObject({ role: 'owner', isShared: false, all: [{ user: 'ben', name: 'benjamin', isMe: true }] });
  expect(peopleOf({ owner: 'ben', members: members.slice(2) }, new Map(), ben)).toMatchObject({
    isShared: false,
    asking: [{ member: 'user:zoe' }],
    all: [{ user: 'ben' }],
  });
});

test('mentions are whole names behind an @; of two, the longer one counts (R226)', () => {
  const users = (text: string, people = [ann, lee]) => mentionedIn(text, people).map(({ user }) => user);
  expect(users('Hi @Ann, and @ann lee!')).toEqual(['a', 'l']);
  for (const text of ['@Annette', 'mail me@Ann', 'Ann', '@', '@An']) expect(users(text)).toEqual([]);
  expect(users('@Ann', [{ ...ann, isMe: true }])).toEqual([]);
  expect(partsOf('Hi @Ann Lee and @Ann.', [ann, lee])).toEqual([
    { text: 'Hi ' },
    { text: '@Ann Lee', user: 'l' },
    { text: ' and ' },
    { text: '@Ann', user: 'a' },
    { text: '.' },
  ]);
  expect(partsOf('Nobody', [ann])).toEqual([{ text: 'Nobody' }]);
});

test('a name is completed behind an @ at the caret, by the beginning of any of its words (R226)', () => {
  expect(soughtAt('Hi @le', 6)).toEqual({ from: 3, words: 'le' });
  expect(soughtAt('@', 1)).toEqual({ from: 0, words: '' });
  expect(soughtAt('Hi @le', 3)).toBeUndefined();
  expect(soughtAt('me@le', 5)).toBeUndefined();
  expect(offered([ann, lee, { ...who('m', 'Lena'), isMe: true }], 'le')).toEqual([lee]);
  expect(offered([ann, lee], '')).toEqual([ann, lee]);
});

test('a face stands at the last item that its person has seen (R226)', () => {
  const people = [who('ada', 'Ada'), who('gus', 'Gus'), { ...who('ben', 'Ben'), isMe: true }, who('new', 'New')];
  expect(seenAt([1, undefined, 3, 5], people, reads)).toEqual(
    new Map([
      [2, [people[0]]],
      [0, [people[1]]],
    ]),
  );
  expect(seenAt([], people, reads)).toEqual(new Map());
});

test.each([
  ['Ada Lovelace', 'AL'],
  ['ben', 'B'],
  ['ada@example.com', 'A'],
  ['user 161ce2d6', 'U1'],
  ['Ана Марија Петрова', 'АП'],
  ['', '?'],
])('%s has the initials %s', (name, expected) => expect(initials(name)).toBe(expected));

test('the colour of a face depends on the user alone', () => {
  expect(hueOf('ada')).toBe(hueOf('ada'));
  expect(hueOf('ada')).not.toBe(hueOf('ben'));
  for (const user of ['', 'ada', '𝒜'.repeat(200)]) expect(hueOf(user)).toBeLessThan(360);
});

test('who has taken a conversation over is one of its people, until they give it back (R228)', () => {
  const takenBy = { user: 'hal', name: 'Hal', callbackId: 'c' };
  const people = peopleOf({ owner: 'ada', takenBy, role: 'member' }, new Map(), { user: 'hal', name: 'hal' });
  expect(people).toMatchObject({ isShared: true, all: [{ user: 'ada' }, { user: 'hal', name: 'Hal', isMe: true }] });
  // Who had it before has looked, and is gone.
  expect(peopleOf({ owner: 'ada', takenBy }, reads, ben).all.map(({ user }) => user)).toEqual(['ada', 'hal']);
  const member = { ...takenBy, user: 'ben' };
  expect(peopleOf({ owner: 'ada', members, takenBy: member }, new Map(), ben).all).toHaveLength(2);
});
