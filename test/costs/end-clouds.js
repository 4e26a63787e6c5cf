/** Ends the clouds that the files of tests have shared: Jest's global teardown, and the reporter, which counts them. */
module.exports = async function endClouds() {
  const clouds = globalThis.vigilClouds;
  globalThis.vigilClouds = undefined;
  await clouds?.stop();
};
