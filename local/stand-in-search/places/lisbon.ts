import type { Place } from '../place';

export const lisbon: Place = {
  name: 'Lisbon',
  pages: {
    sights: {
      title: 'Lisbon sights: hills, tiles and the river',
      paragraphs: [
        'Begin on the walls of São Jorge Castle, with the whole city and the Tagus below you.',
        'Get lost in the lanes of Alfama, the oldest quarter, and rest at the viewpoint Portas do Sol.',
        'See the carved cloister of the Jerónimos Monastery and the tower of Belém by the water.',
        'Look at five centuries of tiles in the Tile Museum, in a former convent.',
        'Ride tram 28 from end to end, early or late, when there are seats.',
        'Take the train to Sintra for palaces among ferns and fog.',
      ],
    },
    food: {
      title: 'Lisbon food: where to eat and what',
      paragraphs: [
        'Eat a custard tart, a pastel de nata, warm and with cinnamon, in Belém.',
        'Order grilled sardines in Alfama between June and September.',
        'Compare the kitchens of the city side by side at the Ribeira market hall.',
        'Hear fado over a long dinner in Mouraria, where it began.',
      ],
    },
    lodging: {
      title: 'Where to stay in Lisbon',
      paragraphs: [
        'Baixa and Chiado are flat and central; Alfama is pretty, steep and loud until late.',
        'Guest houses in Graça have the best views for the money.',
        'Families like Parque das Nações: new, level, and beside the aquarium.',
      ],
    },
    transport: {
      title: 'Getting to Lisbon and around: trams, metro and trains',
      paragraphs: [
        'The metro takes about twenty-five minutes from the airport to the centre.',
        'A rechargeable card pays for the metro, trams, lifts and the ferries over the Tagus.',
        'Trains to Sintra leave from Rossio, those to Cascais and its beaches from Cais do Sodré.',
      ],
    },
  },
};
