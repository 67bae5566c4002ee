import { ShownStatus } from '@pointgate/contract/orders.ts';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type OrderFilter, periods } from './order-filter.ts';
import { statusLabels } from './order-text.ts';
import { statusIcons } from './status-icons.ts';
import './order-filters.css';

export interface OrderFiltersProps {
  filter: OrderFilter;
  onChange: (changes: Partial<OrderFilter>) => void;
  /** The games to choose from; not set on a single-game site. */
  games?: readonly { gameId: string; name: string }[] | undefined;
}

/** The order filters: status buttons, and lists for kind, time and game. */
export function OrderFilters({ filter, onChange, games }: OrderFiltersProps) {
  const { t } = useTranslation();
  return (
    <div className="order-filters">
      <StatusChoice chosen={filter.shown} onChoose={(shown) => onChange({ shown })} />
      <div className="order-selects">
        <Choice
          label={t('orders.kind')}
          all={t('orders.allKinds')}
          value={filter.kind}
          choices={[
            { value: 'item', text: t('recharge.target.game') },
            { value: 'points', text: t('recharge.target.epoint') },
          ]}
          onChoose={(kind) => onChange({ kind })}
        />
        {games !== undefined && (
          <Choice
            label={t('order.game')}
            all={t('orders.allGames')}
            value={filter.gameId}
            choices={games.map(({ gameId, name }) => ({ value: gameId, text: name }))}
            onChoose={(gameId) => onChange({ gameId })}
          />
        )}
        <Choice
          label={t('orders.time')}
          all={t('orders.anyTime')}
          value={filter.period}
          choices={periods.map((value) => ({ value, text: t(`orders.period.${value}`) }))}
          onChoose={(period) => onChange({ period })}
        />
      </div>
    </div>
  );
}

interface StatusChoiceProps {
  chosen: ShownStatus | null;
  onChoose: (shown: ShownStatus | null) => void;
}

function StatusChoice({ chosen, onChoose }: StatusChoiceProps) {
  const { t } = useTranslation();
  const row = useRef<HTMLFieldSetElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again for another choice.
  useEffect(() => {
    // The row scrolls on phones: the status from the address must be visible.
    const chip = row.current?.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (!row.current || !chip) return;
    row.current.scrollLeft = chip.offsetLeft - (row.current.clientWidth - chip.clientWidth) / 2;
  }, [chosen]);
  return (
    <fieldset className="order-statuses" ref={row}>
      <legend className="visually-hidden">{t('orders.status')}</legend>
      {[null, ...ShownStatus.options].map((shown) => {
        const Icon = shown === null ? null : statusIcons[shown];
        return (
          <button
            key={shown ?? 'all'}
            type="button"
            aria-pressed={shown === chosen}
            onClick={() => onChoose(shown)}
          >
            {Icon !== null && <Icon size={15} aria-hidden="true" />}
            {shown === null ? t('orders.all') : t(statusLabels[shown])}
          </button>
        );
      })}
    </fieldset>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  /** The label of the option without a filter. */
  all: string;
  value: Value | null;
  choices: readonly { value: Value; text: string }[];
  onChoose: (value: Value | null) => void;
}

function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, all, value, choices, onChoose } = props;
  const id = useId();
  return (
    <div className="order-select">
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <select
        id={id}
        value={value ?? ''}
        data-chosen={value !== null || undefined}
        onChange={({ target }) =>
          onChoose(choices.find((choice) => choice.value === target.value)?.value ?? null)
        }
      >
        <option value="">{all}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
    </div>
  );
}
