const { existsSync } = require('node:fs');
const { delimiter, join } = require('node:path');

const folders = (process.env.PATH ?? '').split(delimiter);
const onPath = (name) => folders.map((folder) => join(folder, name));
/** Where Chromium usually is. */
const usualPlaces = [
  ...['chromium', 'chromium-browser', 'google-chrome'].flatMap(onPath),
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const first = (places) => places.find((place) => existsSync(place)) ?? '';

/** Returns the path of the browser for the page's tests and figures: CHROMIUM_PATH, or one in a usual place; '' if there is none. */
const findChromium = () => process.env.CHROMIUM_PATH || first(usualPlaces);

/** Returns the path of Chromium's headless shell, which does less work; '' if there is none, or CHROMIUM_PATH says which browser. */
const findHeadlessShell = () => (process.env.CHROMIUM_PATH ? '' : first(onPath('chromium-headless-shell')));

module.exports = { findChromium, findHeadlessShell };
