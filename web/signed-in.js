import { byId } from './elements.js';

const place = 'vigil.user';

/** Who the page speaks for on a laptop: a name is enough there. */
export const signedIn = () => localStorage.getItem(place) || 'alice';

/** Lets somebody else sign in, by name; the page then begins anew. */
export function openSignIn() {
  byId('user').value = signedIn();
  byId('who').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    localStorage.setItem(place, byId('user').value.trim());
    location.hash = '';
    location.reload();
  });
}

/** Says which model answers, and how to have a real one. @param {string} model */
export function showModel(model) {
  const isStandIn = model.startsWith('stand-in');
  byId('model').textContent = model;
  byId('model').classList.toggle('stand-in', isStandIn);
  if (isStandIn) byId('model').title = 'Rules answer. For a real model set OPENAI_API_KEY and run npm start again.';
}
