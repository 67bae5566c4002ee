import CreditCard from 'lucide-react/icons/credit-card';
import PackageCheck from 'lucide-react/icons/package-check';
import UserRound from 'lucide-react/icons/user-round';
import { useTranslation } from 'react-i18next';
import { Section } from '../../shared/ui/section.tsx';
import './how-it-works.css';

export function HowItWorks() {
  const { t } = useTranslation();
  const steps = [
    { Icon: UserRound, title: t('home.stepRole'), text: t('home.stepRoleText') },
    { Icon: CreditCard, title: t('home.stepPay'), text: t('home.stepPayText') },
    { Icon: PackageCheck, title: t('home.stepDelivery'), text: t('home.stepDeliveryText') },
  ];
  return (
    <Section title={t('home.howItWorks')}>
      <ol className="home-steps">
        {steps.map(({ Icon, title, text }) => (
          <li key={title}>
            <Icon size={24} strokeWidth={1.75} aria-hidden="true" />
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
