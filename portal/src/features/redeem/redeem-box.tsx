import type { Character } from '@pointgate/contract/characters.ts';
import CircleCheck from 'lucide-react/icons/circle-check';
import TicketCheck from 'lucide-react/icons/ticket-check';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { ApiError, unexplained } from '../../shared/api/api-error.ts';
import { TextField } from '../../shared/forms/text-field.tsx';
import { errorText } from '../../shared/i18n/error-text.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { type Redemption, useRedeem } from './redeem-queries.ts';
import './redeem.css';

interface RedeemBoxProps {
  character: Character | null;
  /** Chooses a role, for a code that needs one. */
  characterBar: ReactNode;
}

/** Redeems a code. A role is requested only if the code turns out to need one. */
export function RedeemBox({ character, characterBar }: RedeemBoxProps) {
  const { t } = useTranslation();
  const headingId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const redeem = useRedeem();
  const code = typed.trim();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (code === '') form.current?.querySelector('input')?.focus();
    else if (!redeem.isPending) {
      redeem.mutate(
        { code, character },
        {
          onSuccess: () => {
            setTyped('');
            setIsChecked(false);
          },
        },
      );
    }
  };

  return (
    <section className="redeem" aria-labelledby={headingId}>
      <div className="redeem-words">
        <TicketCheck size={24} strokeWidth={1.75} aria-hidden="true" />
        <div>
          <h2 id={headingId}>{t('redeem.title')}</h2>
          <p>{t('redeem.text')}</p>
        </div>
      </div>
      <div className="redeem-work">
        <form onSubmit={submit} noValidate ref={form}>
          <TextField
            label={t('redeem.code')}
            value={typed}
            autoComplete="off"
            maxLength={200}
            isMissing={isChecked && code === ''}
            problem={isChecked && code === '' ? t('redeem.missing') : null}
            onChange={(value) => {
              setTyped(value);
              // The error belongs to the previous code.
              if (redeem.isError) redeem.reset();
            }}
          />
          <Button kind="secondary" type="submit" name="redeem" isBusy={redeem.isPending}>
            {t('redeem.submit')}
          </Button>
        </form>
        {redeem.isError && <Refusal error={redeem.error} characterBar={characterBar} />}
        <div role="status">
          {redeem.isSuccess && <Given redemption={redeem.data} character={character} />}
        </div>
      </div>
    </section>
  );
}

function Refusal({ error, characterBar }: { error: unknown; characterBar: ReactNode }) {
  const { t } = useTranslation();
  const code = error instanceof ApiError ? error.code : null;
  const needsCharacter = code === 'ServerNotFound' || code === 'RoleNotFound';
  return (
    <>
      <Alert title={errorText(t, error)}>
        {needsCharacter && <p>{t('redeem.needsCharacter')}</p>}
        {code === unexplained && <p>{t('redeem.onlyOnce')}</p>}
      </Alert>
      {needsCharacter && characterBar}
    </>
  );
}

function Given({ redemption, character }: { redemption: Redemption; character: Character | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const addresses = useAddresses();
  const { reward, paymentId } = redemption;
  return (
    <div className="redeem-given">
      <CircleCheck size={20} aria-hidden="true" />
      <div>
        <p className="redeem-goods">{t('redeem.given', { goods: goodsOf(format, reward) })}</p>
        {reward.kind === 'points' && reward.days !== null && (
          <p>{t('redeem.lives', { count: reward.days })}</p>
        )}
        {reward.kind === 'item' && character !== null && (
          <p>{t('redeem.onTheWay', { role: character.role.name })}</p>
        )}
        {paymentId !== null && <Link to={addresses.order(paymentId)}>{t('redeem.order')}</Link>}
      </div>
    </div>
  );
}

function goodsOf(format: ReturnType<typeof useFormat>, reward: Redemption['reward']): string {
  if (reward.kind === 'points') return format.points(reward.points);
  if (reward.kind === 'coupon') return reward.couponName;
  return `${format.number(reward.quantity + reward.giftQuantity)} ${reward.unit}`;
}
