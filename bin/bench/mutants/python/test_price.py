import pytest
from price import price

TEA = (4, 3)
POT = (100, 1)


def test_adds_up_what_each_item_costs():
    assert price([TEA, (7, 1)]) == 19
    assert price([]) == 0


def test_takes_a_tenth_off_for_members_who_spend_a_lot():
    assert price([POT, POT], member=True) == 180
    assert price([POT, POT]) == 200


def test_takes_five_off_for_the_code_of_the_season():
    assert price([TEA], code='SPRING') == 7


def test_refuses_a_count_below_one():
    with pytest.raises(ValueError):
        price([(4, 0)])
