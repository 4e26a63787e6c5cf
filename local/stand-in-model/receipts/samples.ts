/** What a sample receipt shows; without `total`, it is too blurred to be read. */
export interface Sample {
  /** In `local/demo/receipts`. */
  file: string;
  /** The id that Vigil gives to its bytes. */
  id: string;
  merchant: string;
  date: string;
  category: 'travel' | 'lodging' | 'meals' | 'office' | 'other';
  lines: [item: string, cents: number][];
  currency: string;
  isBlurred?: true;
}

/**
 * The receipts that we drew (`npx tsx test/support/draw-receipts.ts`). The stand-in cannot see: it knows these by the ids of their bytes, and
 * asks about any other.
 */
export const samples: Sample[] = [
  {
    ...{
      file: 'cafe.png',
      id: 'f_ZpdRx0nxq7E71v8mdcIJK70ULcPy1alwFVj1gdE7xPU',
      merchant: 'Café Luna',
      date: '2026-03-02',
      category: 'meals',
      currency: 'EUR',
    },
    lines: [
      ['Soup of the day', 750],
      ['Coffee', 490],
    ],
  },
  {
    ...{
      file: 'hotel.png',
      id: 'f_Ds_wrTgxkBLE5aVzgiYC9YzaOrlM2Qw2HkX961Hj8hs',
      merchant: 'Hotel Mirador',
      date: '2026-03-05',
      category: 'lodging',
    },
    currency: 'EUR',
    lines: [
      ['Room, 1 night', 8900],
      ['Breakfast', 1250],
    ],
  },
  {
    ...{
      file: 'stationer.png',
      id: 'f_lKYdkw1lXMZcrwp1vQ0mmPBBfeIxBoDjFxzA1__WgN4',
      merchant: 'Stationer & Sons',
      date: '2026-03-09',
      category: 'office',
    },
    currency: 'EUR',
    lines: [
      ['Notebook A5', 650],
      ['Pens, 3 pieces', 405],
    ],
  },
  {
    ...{
      file: 'blurred.png',
      id: 'f_iKgDkKO16-nBXEviQDEp8svOJHwDegBBdRFR9DmEScE',
      merchant: 'Taxi Nord',
      date: '2026-03-06',
      category: 'travel',
      currency: 'EUR',
    },
    lines: [['Ride', 2350]],
    isBlurred: true,
  },
];

export const totalOf = ({ lines }: Sample): number => lines.reduce((sum, [, cents]) => sum + cents, 0);
