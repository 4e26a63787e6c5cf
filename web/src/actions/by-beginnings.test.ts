import { byBeginnings } from './by-beginnings';

test.each([
  ['arch', ['Archive'], 1],
  ['dark light', ['Theme: dark'], 0],
  ['dark the', ['Theme: dark'], 1],
  ['Ubersicht', ['Zur Übersicht'], 1],
  ['sesión', ['Cerrar sesion'], 1],
  ['night', ['Theme: dark', 'night mode'], 1],
  ['hive', ['Archive'], 0],
  ['', ['Archive'], 1],
])('“%s” finds %j: %i (R257)', (typed, texts, score) => {
  expect(byBeginnings(typed, texts)).toBe(score);
});
