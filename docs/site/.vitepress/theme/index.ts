import type { Theme } from 'vitepress';
// Its other entry loads a font.
import DefaultTheme from 'vitepress/theme-without-fonts';
import { Diagram } from './diagram.ts';
import './site.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('Diagram', Diagram),
} satisfies Theme;
