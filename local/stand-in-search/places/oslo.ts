import type { Place } from '../place';

export const oslo: Place = {
  name: 'Oslo',
  pages: {
    sights: {
      title: 'Oslo sights: the fjord, museums and the forest',
      paragraphs: [
        'Walk up the white roof of the Opera and look down into the fjord.',
        'See the Munch museum next door, and the new library between the two.',
        'Wander among the two hundred stone and bronze figures of Vigeland Park.',
        'Take the ferry to Bygdøy for the polar ship Fram and the raft Kon-Tiki.',
        'Ride the metro up to Holmenkollen, the ski jump, and walk back through the forest.',
        'Hop between the islands of the inner fjord, and swim from Hovedøya in summer.',
      ],
    },
    food: {
      title: 'Oslo food: where to eat and what',
      paragraphs: [
        'Buy shrimps off the boat at Aker Brygge and peel them on the pier.',
        'Have a waffle with brown cheese at a cabin in the forest.',
        'Try Mathallen, the food hall by the river Akerselva.',
        'Oslo takes its coffee seriously: ask for a light filter brew in Grünerløkka.',
      ],
    },
    lodging: {
      title: 'Where to stay in Oslo',
      paragraphs: [
        'Hotels around the Central Station are close to everything, and dear on weekdays.',
        'Grünerløkka has small hotels and the bars; Frogner is quiet and green.',
        'Cabins in the forest can be rented by the night, without electricity.',
      ],
    },
    transport: {
      title: 'Getting to Oslo and around: trains, trams and ferries',
      paragraphs: [
        'The airport train takes about twenty minutes; the regional train costs half and takes a few more.',
        'One ticket is good for trams, buses, the metro and the island ferries.',
        'The Bergen railway crosses the high plateau in under seven hours.',
      ],
    },
  },
};
