import type { Place } from '../place';

export const rome: Place = {
  name: 'Rome',
  pages: {
    sights: {
      title: 'Rome sights: the ancient city and the baroque one',
      paragraphs: [
        'See the Colosseum first thing, then walk the Forum and climb the Palatine on the same ticket.',
        'Stand under the open eye of the Pantheon, best when it rains in.',
        'Give the Vatican Museums a whole morning, and end in the Sistine Chapel.',
        'Cross the Tiber to Trastevere and climb the Janiculum for the evening light.',
        'Book a slot for the Borghese Gallery, and walk in its park afterwards.',
        'Cycle the first miles of the Appian Way on a Sunday, past tombs and pines.',
      ],
    },
    food: {
      title: 'Rome food: where to eat and what',
      paragraphs: [
        'Order cacio e pepe or carbonara in Testaccio, where the slaughterhouse cooks invented half of the menu.',
        'Eat pizza by the slice, cut with scissors, near Campo de’ Fiori.',
        'Try artichokes, fried whole, in the old Jewish quarter in spring.',
        'Stand at the bar for coffee: sitting down costs twice as much.',
      ],
    },
    lodging: {
      title: 'Where to stay in Rome',
      paragraphs: [
        'Monti is central, lively and a walk from the Forum; Prati is quiet and near the Vatican.',
        'Rooms in convents are plain, clean and cheap, and close their doors at night.',
        'Around Termini you pay least; look at the street on a map first.',
      ],
    },
    transport: {
      title: 'Getting to Rome and around: trains, metro and on foot',
      paragraphs: [
        'The train from Fiumicino airport reaches Termini in about half an hour.',
        'Fast trains link Rome with Florence in an hour and a half and with Naples in seventy minutes.',
        'The centre is best on foot; two metro lines cross at Termini.',
      ],
    },
  },
};
