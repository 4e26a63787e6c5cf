import { useData } from 'vitepress';
import { defineComponent, h, onMounted, ref, useId, watch } from 'vue';

/** A diagram in Mermaid's language. It is drawn in the browser; until then, and without scripts, its source is shown. */
export const Diagram = defineComponent({
  props: { source: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData();
    const id = useId();
    const drawing = ref('');
    async function draw(): Promise<void> {
      const { default: mermaid } = await import('mermaid');
      // The words on an arrow hide it, and have no box.
      const edgeLabelBackground = getComputedStyle(document.documentElement).getPropertyValue('--vp-c-bg');
      const theme = isDark.value ? 'dark' : 'neutral';
      mermaid.initialize({ startOnLoad: false, fontFamily: 'inherit', theme, themeVariables: { edgeLabelBackground } });
      const { svg } = await mermaid.render(`diagram-${id}`, decodeURIComponent(props.source));
      // A wide one is scrolled before its words are too small to be read.
      drawing.value = svg.replace(/max-width: ([\d.]+)px/, (whole, width) => `${whole}; min-width: ${width * 0.7}px`);
    }
    onMounted(draw);
    watch(isDark, draw);
    return () =>
      drawing.value
        ? h('div', { class: 'diagram', innerHTML: drawing.value })
        : h('pre', { class: 'diagram' }, decodeURIComponent(props.source));
  },
});
