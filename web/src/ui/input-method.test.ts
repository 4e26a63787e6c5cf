import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { keepKeysOfInputMethods } from './input-method';

const pressed = (fields: object) => Object.assign(new Event('keydown'), { isComposing: false, keyCode: 13, ...fields });

test('a key of an input method reaches no handler, however the browser tells of it (R162)', () => {
  const page = new EventTarget();
  keepKeysOfInputMethods(page);
  const heard: object[] = [];
  page.addEventListener('keydown', (event) => heard.push(event), { capture: true });
  // Chromium and Firefox; Safari; Chromium on Windows.
  for (const taken of [
    { key: 'Enter', isComposing: true, keyCode: 229 },
    { key: 'Enter', isComposing: true },
    { key: 'Enter', keyCode: 229 },
    { key: 'Escape', keyCode: 229 },
    { key: 'Process', keyCode: 229 },
  ])
    page.dispatchEvent(pressed(taken));
  expect(heard).toEqual([]);
  const own = pressed({ key: 'Enter' });
  page.dispatchEvent(own);
  expect(heard).toEqual([own]);
});

test('the page listens to no key before that, and to none that an input method has ended with (R162)', () => {
  const sources = execFileSync('git', ['ls-files', 'web/src/*.ts', 'web/src/*.tsx'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && !file.endsWith('.test.ts') && !file.endsWith('/input-method.ts'))
    .map((file) => [file, readFileSync(file, 'utf8')] as const);
  // After the composition, the key comes up as any other.
  const early = /onKeyDownCapture|onKeyUp|onKeyPress|'key(?:up|press)'|addEventListener\('keydown'.*(?:true|capture)/;
  expect(sources.filter(([, text]) => early.test(text)).map(([file]) => file)).toEqual([]);
  const main = sources.find(([file]) => file === 'web/src/main.tsx')![1];
  const [guarded, listens] = ['keepKeysOfInputMethods(window)', 'addEventListener'].map((part) => main.indexOf(part));
  expect(guarded).toBeGreaterThan(0);
  expect(guarded).toBeLessThan(listens!);
  expect(guarded).toBeLessThan(main.indexOf('createRoot('));
});
