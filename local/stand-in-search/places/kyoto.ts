import type { Place } from '../place';

export const kyoto: Place = {
  name: 'Kyoto',
  pages: {
    sights: {
      title: 'Kyoto sights: temples, shrines and gardens',
      paragraphs: [
        'Walk through the thousands of red gates of Fushimi Inari early in the morning, before the crowds come.',
        'See the golden pavilion Kinkaku-ji above its pond, and the stone garden of Ryoan-ji, which is a short walk away.',
        'Stand on the wooden stage of Kiyomizu-dera and come down through the old lanes of Higashiyama.',
        'Follow the Path of Philosophy from Ginkaku-ji, beside a canal that is lined with cherry trees.',
        'Take the train to Arashiyama for the bamboo grove and the bridge over the Katsura river.',
        'Spend a slow hour in Nijo Castle, whose floors sing under your feet.',
      ],
    },
    food: {
      title: 'Kyoto food: where to eat and what',
      paragraphs: [
        'Taste your way along Nishiki Market, a covered street of a hundred small shops.',
        'Try yudofu, tofu in a light broth, near the temple Nanzen-ji.',
        'Have dinner in the narrow Pontocho alley by the river Kamo, where terraces open in summer.',
        'Drink matcha in a tea house in Gion, with a sweet of the season.',
      ],
    },
    lodging: {
      title: 'Where to stay in Kyoto',
      paragraphs: [
        'A ryokan in Higashiyama has straw mats, a bath and breakfast; book it months ahead for spring and autumn.',
        'Hotels around Kyoto Station are practical for day trips, and cheaper than those in Gion.',
        'Small wooden town houses, machiya, can be rented as a whole by families.',
      ],
    },
    transport: {
      title: 'Getting to Kyoto and around: trains and buses',
      paragraphs: [
        'The Shinkansen from Tokyo takes a little over two hours; the Haruka train from Kansai airport about eighty minutes.',
        'Two underground lines and many buses cover the city; a prepaid card works on all of them.',
        'The valley is flat: a hired bicycle is often the fastest way.',
      ],
    },
  },
};
