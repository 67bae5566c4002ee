import { open, says, screensOf } from './screen.ts';

const list = '/main/event';
const detail = `${list}/detail/`;

export const newsScreens = [
  ...screensOf('News', 'aveline', {
    all: (stage) => open(stage, list),
    strategy: (stage) => open(stage, `${list}?tab=strategy`),
    'none yet': async (stage) => {
      await stage.retell(/\/api\/bulletin\/(list|top)/, (data) => ({ ...data, bulletins: [] }));
      await open(stage, list);
      await says(stage, 'No announcement content');
    },
    loading: async (stage) => {
      await stage.hold(/\/api\/bulletin\//);
      await open(stage, list);
    },
    'the list did not come': async (stage) => {
      await stage.cut(/\/api\/bulletin\//);
      await open(stage, list);
      await says(stage, 'Failed to get the announcement list');
    },
  }),
  ...screensOf('Announcement', 'aveline', {
    full: (stage) => open(stage, `${detail}tidefall-festival`),
    'a guide': (stage) => open(stage, `${detail}first-ten-levels`),
    missing: async (stage) => {
      await open(stage, `${detail}nothing`);
      await says(stage, 'The announcement is missing');
    },
    loading: async (stage) => {
      await stage.hold(/\/api\/bulletin\//);
      await open(stage, `${detail}tidefall-festival`);
    },
  }),
];
