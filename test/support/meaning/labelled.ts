/**
 * A labelled set for the search by meaning: what somebody asks, and the message that answers it. Most pairs share few words. The other
 * messages are about the same kinds of things.
 */
export const labelled: readonly (readonly [query: string, message: string])[] = [
  ['place where ships get fixed', 'We stayed in a harbour town where boats are repaired.'],
  ['what am I allergic to', 'Peanuts make my throat swell, so I never eat them.'],
  ['name of our puppy', 'The dog is called Biscuit and he is four months old.'],
  ['when does my tutor come', 'My piano teacher visits every Thursday at five.'],
  ['cost of the lodging in Lisbon', 'The apartment in Lisbon is 640 euros for the week.'],
  ['how do I get to work', 'I take the railway to my office in the morning.'],
  ['birthday gift for mum', 'For my mother a present: a green teapot.'],
  ['what frightens my daughter', 'Lena is scared of thunder at night.'],
  ['the automobile needs service', 'Our car has to be inspected before the end of May.'],
  ['physician I see for my knee', 'Doctor Okafor looked at my knee and said it is the cartilage.'],
  ['affordable meal near the museum', 'There is a cheap place for dinner behind the museum.'],
  ['weather on our vacation', 'During the holiday in Wales it was rainy every day.'],
  ['how much have I put aside', 'My savings are at nine thousand now.'],
  ['new position in spring', 'In April I begin a job at the library.'],
  ['what did the plumber say', 'The pipe under the sink is cracked, he told us, and it will take a day.'],
  ['which language am I studying', 'I practise Portuguese for half an hour each evening.'],
  ['where did I leave the spare key', 'The second key lies in the blue bowl by the door.'],
  ['favourite music', 'I listen to old jazz records more than to anything else.'],
  ['running goal', 'By autumn I would like to run ten kilometres without a pause.'],
  ['who waters the plants', 'Our neighbour Marta looks after the flowers while we are away.'],
  ['password manager problem', 'I cannot sign in to the vault on my new phone.'],
  ['book that I should return', 'The novel from the library is due on Friday.'],
  ['what broke in the kitchen', 'The oven no longer gets hot.'],
  ['wedding date', 'Ana and Tom marry on the twelfth of September.'],
  ['how I take my coffee', 'One espresso, no sugar, with a little oat milk.'],
  ['shoe size', 'I wear 42 in most brands.'],
  ['flight that was cancelled', 'The plane to Oslo did not leave because of fog.'],
  ['what the children eat at noon', 'The kids have lunch at school: pasta, mostly.'],
  ['electricity contract', 'We pay the power company 95 a month until March.'],
  ['cycling route', 'On Sundays I ride my bike along the canal to the mill.'],
  ['who fixed the roof', 'A man from Kent mended the tiles above the attic.'],
  ['dream of a yacht', 'Some day I will purchase a small vessel and sail to Greece.'],
  ['sleeping badly', 'I wake at three and lie there until it gets light.'],
  ['brother’s new home', 'Peter moved to a house near Bristol.'],
  ['sick colleague', 'Jonas from accounting is ill and comes back on Monday.'],
  ['quick recipe with lentils', 'Red lentils, a tin of tomatoes, cumin: done in twenty minutes.'],
  ['how tall is the shelf', 'It measures two metres and ten centimetres.'],
  ['lost luggage', 'My suitcase has not arrived from Frankfurt.'],
  ['the cat at the vet', 'Our kitten got its second injection yesterday.'],
  ['giving up cigarettes', 'I have not smoked for six weeks.'],
];

const who = ['my aunt', 'the landlord', 'our guide', 'a friend', 'the bank', 'the caretaker', 'my team', 'the school'];
const did = ['asked about', 'wrote about', 'forgot', 'wants to change', 'cannot find', 'talked about', 'paid for'];
const what = [
  'the invoice',
  'the tickets',
  'a parcel',
  'the garden fence',
  'the projector',
  'a meeting',
  'the guest list',
  'the bridge',
  'a lamp',
  'the survey',
  'the translation',
  'the opening hours',
  'a discount',
  'the old camera',
];
const when = ['yesterday', 'in June', 'before noon', 'last week', 'on the phone', 'twice', 'at the office', 'again'];

/** Returns so many other messages, each of them different. */
export const otherMessages = (count: number): string[] =>
  Array.from({ length: count }, (_, number) => {
    const one = <Word>(of: readonly Word[], divisor: number) => of[Math.floor(number / divisor) % of.length]!;
    const rest = Math.floor(number / (who.length * did.length * what.length * when.length));
    const words = [one(who, 1), one(did, who.length), one(what, who.length * did.length)];
    return `${words.join(' ')} ${one(when, who.length * did.length * what.length)}${rest > 0 ? ` (${rest})` : ''}.`;
  });
