Feature: What else happens in the same code

  Besides the four reports that R1 to R7 are taken from, the tracker has others
  about the same code, or about the same mistake in other code. Where a fix that
  one of the four reports suggests touches that code, it is tried too. That of
  report #3950 is right about the engine and leaves its migrations as they are;
  that of report #7424 reads the database again, and still decides before it
  writes.

  Scenario Outline: N1, migrations of two units of work, <version>
    Given two units of work on one in-memory database without a schema, <version>
    When both bring the schema up to date, in many orders
    Then the migrations have run once, and neither unit of work got an error

    @tdd_issue @tdd_issue_7420 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_7420
    Examples: kept
      | version |
      | ours    |

  Scenario Outline: N2, a commit that fails, <version>
    Given a queued plan in a database that refuses to commit, <version>
    When the plan is moved on while others look at it, in many orders
    Then nobody sees the plan where it was not committed, neither then nor later

    @tdd_issue @tdd_issue_7137 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_7137
    Examples: kept
      | version |
      | ours    |

  Scenario Outline: N3, two workers and one plan, <version>
    Given a plan that is queued for execution in a database that two workers share, <version>
    When both workers execute the plan, and the work fails, in many orders
    Then one does the work, the other is told that it is not its own, and afterwards the work can be done again

    @tdd_issue @tdd_issue_7989 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_7989
    Examples: kept
      | version |
      | ours    |

  Scenario Outline: N7, a changeset of another instance, <version>
    Given a plan without a changeset in a database that two instances of the service share, <version>
    When one instance starts a changeset while the other records a change, in many orders
    Then once the start has returned, the other instance knows the changeset and records in it

    @tdd_issue @tdd_issue_7731 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_7731
    Examples: kept
      | version |
      | ours    |

  Scenario Outline: N8, several engines on one file, <version>
    Given a database file that two engines share, <version>
    When one engine writes while the other reads and writes, in many orders
    Then nobody is told that the file is locked, and everything that was written is there

    @tdd_issue @tdd_issue_5456 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_5456
    Examples: kept
      | version |
      | ours    |
