def price(items, member=False, code=''):
    if not items:
        return 0
    total = 0
    for cost, count in items:
        if count < 1:
            raise ValueError('a count is at least 1')
        total += cost * count
    if member and total >= 100:
        total -= total / 10
    if code == 'SPRING':
        total -= 5
    return max(total, 0)
