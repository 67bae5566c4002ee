import { type Width, widths } from '../screens/screen.ts';

export interface Picture {
  page: string;
  state: string;
  locale: string;
  side: Width;
  /** The screenshot of the visible part. */
  file: string;
  /** The screenshot of the whole page. */
  whole: string;
}

/** The HTML of the gallery: all screenshots by page and state, with two rows of filter buttons. */
export function galleryPage(pictures: readonly Picture[]): string {
  const groups = Map.groupBy(pictures, ({ page }) => page);
  const locales = [...new Set(pictures.map(({ locale }) => locale))];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Every screen</title>
<style>${style}</style>
<header>
  <h1>Every screen</h1>
  <p>${pictures.length} pictures of ${groups.size} pages</p>
  <form>
    ${choice('locale', ['all', ...locales])}
    ${choice('side', ['all', 'narrow', 'wide'])}
  </form>
  <nav>${[...groups.keys()].map((page) => `<a href="#${idOf(page)}">${page}</a>`).join(' ')}</nav>
</header>
<main>${[...groups].map(([page, shown]) => section(page, shown)).join('\n')}</main>
<script>${script}</script>
</html>
`;
}

function choice(name: string, values: readonly string[]): string {
  const options = values.map(
    (value, index) =>
      `<label><input type="radio" name="${name}" value="${value}"${index === 0 ? ' checked' : ''}><span>${value}</span></label>`,
  );
  return `<fieldset>${options.join('')}</fieldset>`;
}

function section(page: string, pictures: readonly Picture[]): string {
  const states = Map.groupBy(pictures, ({ state }) => state);
  const rows = [...states].map(
    ([state, shown]) => `<h3>${state}</h3><div class="row">${shown.map(figure).join('')}</div>`,
  );
  return `<section id="${idOf(page)}"><h2>${page}</h2>${rows.join('\n')}</section>`;
}

function figure({ page, state, locale, side, file, whole }: Picture): string {
  const alt = `${page}, ${state}, ${locale}, ${widths[side]} px`;
  return `<figure data-locale="${locale}" data-side="${side}"><a href="${whole}"><img loading="lazy" src="${file}" alt="${alt}"></a><figcaption>${locale} · ${widths[side]}</figcaption></figure>`;
}

const idOf = (page: string) => page.toLowerCase().replaceAll(/[^a-z\d]+/g, '-');

const style = `
:root { color-scheme: dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0; background: #101223; color: #e9e9f6; }
header { position: sticky; top: 0; z-index: 1; padding: 12px 24px; background: #101223f2; border-bottom: 1px solid #2b2f55; }
h1 { display: inline; font-size: 20px; margin: 0 12px 0 0; }
header p { display: inline; color: #a9acd0; }
form { display: flex; flex-wrap: wrap; gap: 16px; margin: 8px 0; }
fieldset { border: 0; margin: 0; padding: 0; display: flex; gap: 4px; }
label input { position: absolute; opacity: 0; }
label span { display: block; padding: 4px 12px; border-radius: 99px; background: #1c2040; cursor: pointer; }
label input:checked + span { background: #ffb957; color: #2b1403; }
label input:focus-visible + span { outline: 2px solid #8eeaff; outline-offset: 2px; }
nav { display: flex; flex-wrap: wrap; gap: 4px 16px; }
a { color: #8eeaff; }
main { padding: 0 24px 64px; }
section { scroll-margin-top: 140px; }
h2 { margin: 40px 0 0; }
h3 { margin: 16px 0 8px; color: #c9cbe6; font-size: 15px; }
.row { display: flex; gap: 16px; overflow-x: auto; padding-bottom: 8px; }
figure { margin: 0; flex: none; }
figure[hidden] { display: none; }
figure a { display: block; height: 420px; overflow: hidden; border: 1px solid #2b2f55; border-radius: 8px; background: #0a0b1a; }
figure[data-side=narrow] img { width: 194px; }
figure[data-side=wide] img { width: 672px; }
figcaption { color: #a9acd0; font-size: 13px; }
`;

const script = `
const form = document.querySelector('form');
const show = () => {
  const { locale, side } = Object.fromEntries(new FormData(form));
  for (const figure of document.querySelectorAll('figure')) {
    const fits = (wanted, own) => wanted === 'all' || wanted === own;
    figure.hidden = !fits(locale, figure.dataset.locale) || !fits(side, figure.dataset.side);
  }
};
form.addEventListener('change', show);
show();
`;
