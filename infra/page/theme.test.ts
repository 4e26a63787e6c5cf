import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Theme, themeCss } from './theme';

const style = readFileSync(join(__dirname, '../../web/src/style.css'), 'utf8');

describe('the theme of a deployment (R257)', () => {
  test('sets variables that the page has, and all of them', () => {
    const block = /@layer theme \{\n {2}:root \{\n([\s\S]*?)\n {2}\}/.exec(style)![1]!;
    const variables = [...block.matchAll(/^ {4}(--[a-z-]+):/gm)].map(([, name]) => name);
    const names = variables.map((name) => name!.slice(2));
    const own = ['font', 'font-code', 'radius', 'density'];
    const colors = Object.fromEntries(names.filter((name) => !own.includes(name)).map((name) => [name, '#123456']));
    const css = themeCss({ colors, radius: 0.25, density: 1.1, font: 'Georgia, serif', fontOfCode: '"Fira Code"' });
    expect([...css.matchAll(/(--[a-z-]+):/g)].map(([, name]) => name).sort()).toEqual([...variables].sort());
    expect(themeCss({ colors: { ink: ['#000', '#fff'] }, radius: 0 })).toBe(
      ':root {\n  --ink: light-dark(#000, #fff);\n  --radius: 0rem;\n}\n',
    );
  });

  test.each<[unknown, string]>([
    [{ colors: { acent: '#123456' } }, 'theme.colors.acent: there is no such colour: it is one of page, side'],
    [{ colors: { ink: 'red' } }, 'theme.colors.ink: it must be a colour such as'],
    [{ colors: { ink: ['#000', '#fff', '#fff'] } }, 'theme.colors.ink: it must be a colour such as'],
    [{ colors: { ink: '#000; } body { display: none' } }, 'theme.colors.ink: it must be a colour such as'],
    [{ radius: 4 }, 'theme.radius is 4: it must be a number from 0 to 1.'],
    [{ density: Number.NaN }, 'theme.density is null: it must be a number from 0.8 to 1.25.'],
    [{ font: 'url(https://a.example/f)' }, 'theme.font is "url(https://a.example/f)": it must be names of fonts'],
    [{ font: '8bit, serif' }, 'theme.font is "8bit, serif": it must be names of fonts'],
    [{ font: 'initial' }, 'theme.font is "initial": it must be names of fonts'],
    [{ fontOfCode: 'a; }' }, 'theme.fontOfCode is "a; }": it must be names of fonts'],
  ])('refuses %j', (theme, problem) => {
    expect(() => themeCss(theme as Theme)).toThrow(problem);
  });
});
