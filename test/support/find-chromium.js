const { existsSync } = require('node:fs');
const { delimiter, join } = require('node:path');

/** Where Chromium usually is. */
const folders = (process.env.PATH ?? '').split(delimiter);
const usualPlaces = [
  ...['chromium', 'chromium-browser', 'google-chrome'].flatMap((name) => folders.map((folder) => join(folder, name))),
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Returns the path of the browser for the page's tests and figures: CHROMIUM_PATH, or one in a usual place; '' if there is none. */
module.exports = () => process.env.CHROMIUM_PATH || (usualPlaces.find((place) => existsSync(place)) ?? '');
