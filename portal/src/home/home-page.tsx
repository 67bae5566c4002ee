import ArrowRight from 'lucide-react/icons/arrow-right';
import CreditCard from 'lucide-react/icons/credit-card';
import PackageCheck from 'lucide-react/icons/package-check';
import UserRound from 'lucide-react/icons/user-round';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../ui/button.tsx';
import { Hero } from '../ui/hero.tsx';
import './home.css';

interface HomePageProps {
  game: { name: string; subtitle: string };
  /** Where top-ups go, and the way to change it. */
  characterBar: ReactNode;
  /** Where codes are redeemed. */
  redeem: ReactNode;
}

export function HomePage({ game, characterBar, redeem }: HomePageProps) {
  const { t } = useTranslation();
  const steps = [
    { Icon: UserRound, title: t('home.stepRole'), text: t('home.stepRoleText') },
    { Icon: CreditCard, title: t('home.stepPay'), text: t('home.stepPayText') },
    { Icon: PackageCheck, title: t('home.stepDelivery'), text: t('home.stepDeliveryText') },
  ];
  return (
    <main className="home" id="main">
      <Hero title={game.name} subtitle={game.subtitle} height="tall">
        <p className="hero-lead">{t('recharge.lead')}</p>
        {characterBar}
        <div className="home-action">
          <ButtonLink kind="primary" to="/main/recharge">
            {t('home.topUp')}
            <ArrowRight size={20} aria-hidden="true" />
          </ButtonLink>
        </div>
      </Hero>
      <div className="home-redeem">{redeem}</div>
      <section className="home-steps" aria-label={t('home.howItWorks')}>
        <ol>
          {steps.map(({ Icon, title, text }) => (
            <li key={title}>
              <Icon size={24} strokeWidth={1.75} aria-hidden="true" />
              <div>
                <h2>{title}</h2>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </section>
    </main>
  );
}
