import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TypedMethod } from '../../entities/credentials/methods.ts';
import { TypedForm } from './typed-forms.tsx';

const tabs = ['name', 'email', 'phone'] as const;
type Tab = (typeof tabs)[number];

const tabOf: Record<TypedMethod, Tab> = {
  LOGIN_NAME_PASSWD_AUTH: 'name',
  EMAIL_PASSWORD_AUTH: 'email',
  MOBILE_PASSWORD_AUTH: 'phone',
  MOBILE_AUTH: 'phone',
};

interface MethodTabsProps {
  methods: TypedMethod[];
  start: TypedMethod;
  /** The id of the heading that labels the panel. */
  titleId: string;
}

/** The typed sign-in methods: a tab for each kind of name, and for phones a password or a code. */
export function MethodTabs({ methods, start, titleId }: MethodTabsProps) {
  const { t } = useTranslation();
  const [method, setMethod] = useState(start);
  const panelId = useId();
  const shown = tabs.filter((tab) => methods.some((each) => tabOf[each] === tab));
  const chosen = tabOf[method];
  const choose = (tab: Tab) => {
    const first = methods.find((each) => tabOf[each] === tab);
    if (tab !== chosen && first !== undefined) setMethod(first);
  };
  const otherOfPhone = methods.find((each) => each !== method && tabOf[each] === chosen);

  const form = (
    <>
      <TypedForm method={method} />
      {otherOfPhone !== undefined && (
        <button type="button" className="login-link other" onClick={() => setMethod(otherOfPhone)}>
          {t(otherOfPhone === 'MOBILE_AUTH' ? 'login.useCode' : 'login.usePassword')}
        </button>
      )}
    </>
  );
  if (shown.length === 1) return form;
  return (
    <>
      <TabList shown={shown} chosen={chosen} panelId={panelId} onChoose={choose} />
      <div role="tabpanel" id={panelId} aria-labelledby={titleId}>
        {form}
      </div>
    </>
  );
}

interface TabListProps {
  shown: Tab[];
  chosen: Tab;
  panelId: string;
  onChoose: (tab: Tab) => void;
}

function TabList({ shown, chosen, panelId, onChoose }: TabListProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = shown.at((shown.indexOf(chosen) + step) % shown.length);
    if (next === undefined) return;
    onChoose(next);
    list.current?.querySelector<HTMLElement>(`[data-tab=${next}]`)?.focus();
  };
  return (
    <div
      className="login-tabs"
      role="tablist"
      aria-label={t('login.chooseWay')}
      ref={list}
      onKeyDown={onKeyDown}
    >
      {shown.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          data-tab={tab}
          aria-controls={panelId}
          aria-selected={tab === chosen}
          tabIndex={tab === chosen ? 0 : -1}
          onClick={() => onChoose(tab)}
        >
          {t(`login.tab.${tab}`)}
        </button>
      ))}
    </div>
  );
}
