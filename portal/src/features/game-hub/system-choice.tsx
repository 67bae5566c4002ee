import { System } from '@pointgate/contract/names.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { rememberSystem, systemParameter, useSystem } from '../../entities/session/use-system.ts';
import './system-choice.css';

/** Product names are the same in every language. */
export const systemNames: Record<System, string> = { ios: 'iOS', android: 'Android' };

/** The system of the player, which decides servers and packs. Kept in the address and stored. */
export function SystemChoice() {
  const { t } = useTranslation();
  const name = useId();
  const chosen = useSystem();
  const [query, setQuery] = useSearchParams();
  const choose = (system: System) => {
    rememberSystem(system);
    query.set(systemParameter, system);
    setQuery(query, { replace: true, preventScrollReset: true });
  };
  return (
    <fieldset className="system-choice">
      <legend className="visually-hidden">{t('platform.system')}</legend>
      {System.options.map((system) => (
        <label key={system}>
          <input
            type="radio"
            name={name}
            checked={system === chosen}
            onChange={() => choose(system)}
          />
          <span>{systemNames[system]}</span>
        </label>
      ))}
    </fieldset>
  );
}
