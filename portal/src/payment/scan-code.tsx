import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { encodeQR } from 'qr';
import { useTranslation } from 'react-i18next';
import './scan-code.css';

/** What the player's phone has to see; the page goes on by itself when it is paid. */
export function ScanCode({ code, method }: { code: string; method: PaymentMethod }) {
  const { t } = useTranslation();
  const app = t(`methods.${method}`);
  // Dark on white whatever the site's colours are: a camera wants it so.
  const picture = encodeQR(code, 'data-url', { border: 2 });
  return (
    <section className="scan-code" aria-labelledby="scan-code-title">
      <img src={picture} width={208} height={208} alt={t('order.scan.code', { app })} />
      <div>
        <h2 id="scan-code-title">{t('order.scan.title', { app })}</h2>
        <p>{t('order.scan.how', { app })}</p>
      </div>
    </section>
  );
}
